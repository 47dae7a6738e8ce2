/** A line of a demonstration order: product or variation, quantity, total of the line. */
type Line = readonly [product: number, quantity: number, total: string];

export type DemoOrder = {
  readonly id: number;
  readonly status: string;
  readonly currency: string;
  /** Of lines and shipping together, to the last decimal. */
  readonly total: string;
  readonly lines: readonly Line[];
  readonly shipping: readonly [method: string, title: string, total: string] | null;
  readonly customer: { readonly id: number; readonly first: string; readonly last: string; readonly email: string };
  readonly address: {
    readonly street: string;
    readonly city: string;
    readonly postcode: string;
    readonly country: string;
  };
  readonly payment: 'card' | 'wallet' | 'bank' | 'cash';
  readonly coupon?: string;
  /** Parts that were paid back, negative as WooCommerce has them. */
  readonly refunds?: readonly { readonly reason: string; readonly total: string }[];
  readonly hoursAgo: number;
};

const ada = { id: 21, first: 'Ada', last: 'Lindqvist', email: 'ada.lindqvist@example.com' };
const bruno = { id: 22, first: 'Bruno', last: 'Kessler', email: 'bruno.kessler@example.com' };
const chiyo = { id: 23, first: 'Chiyo', last: 'Tanabe', email: 'chiyo.tanabe@example.com' };
const dalia = { id: 24, first: 'Dalia', last: 'Al-Mansour', email: 'dalia.almansour@example.com' };
const eamon = { id: 0, first: 'Eamon', last: 'Byrne', email: 'eamon.byrne@example.com' };
const farah = { id: 25, first: 'Farah', last: 'Öztürk', email: 'farah.ozturk@example.com' };

const greta = { id: 26, first: 'Greta', last: 'Sandvik', email: 'greta.sandvik@example.com' };
const henk = { id: 0, first: 'Henk', last: 'de Vries', email: 'henk.devries@example.com' };

const stockholm = { street: 'Exempelgatan 4', city: 'Stockholm', postcode: '111 22', country: 'SE' };
const hamburg = { street: 'Musterweg 12', city: 'Hamburg', postcode: '20095', country: 'DE' };
const kyoto = { street: '1-2-3 Rei-cho', city: 'Kyoto', postcode: '600-0000', country: 'JP' };
const kuwait = { street: 'Block 1, Street 7', city: 'Kuwait City', postcode: '15000', country: 'KW' };
const dublin = { street: '5 Sample Lane', city: 'Dublin', postcode: 'D02 X000', country: 'IE' };
const portland = { street: '77 Placeholder Ave', city: 'Portland', postcode: '97201', country: 'US' };

const courier = (total: string) => ['flat_rate', 'Courier', total] as const;
const freeShipping = ['free_shipping', 'Free shipping', '0.00'] as const;
const pickup = ['local_pickup', 'Pick up in the shop', '0.00'] as const;

export const demoOrders: readonly DemoOrder[] = [
  {
    id: 1001,
    status: 'processing',
    currency: 'USD',
    total: '82.40',
    hoursAgo: 2,
    payment: 'card',
    lines: [
      [101, 2, '19.00'],
      [110, 1, '58.50'],
    ],
    shipping: courier('4.90'),
    customer: ada,
    address: portland,
  },
  {
    id: 1002,
    status: 'processing',
    currency: 'USD',
    total: '49.00',
    hoursAgo: 5,
    payment: 'card',
    lines: [[114, 1, '49.00']],
    shipping: null,
    customer: bruno,
    address: portland,
  },
  {
    id: 1003,
    status: 'processing',
    currency: 'EUR',
    total: '120.50',
    hoursAgo: 9,
    payment: 'wallet',
    lines: [
      [103, 3, '38.70'],
      [112, 2, '28.00'],
      [117, 1, '47.30'],
    ],
    shipping: courier('6.50'),
    customer: farah,
    address: hamburg,
  },
  {
    id: 1004,
    status: 'pending',
    currency: 'USD',
    total: '29.00',
    hoursAgo: 12,
    payment: 'card',
    lines: [[118, 1, '29.00']],
    shipping: freeShipping,
    customer: eamon,
    address: portland,
  },
  {
    id: 1005,
    status: 'pending',
    currency: 'JPY',
    total: '12800',
    hoursAgo: 18,
    payment: 'card',
    lines: [
      [106, 4, '4800'],
      [109, 2, '7200'],
    ],
    shipping: ['flat_rate', 'Courier', '800'],
    customer: chiyo,
    address: kyoto,
  },
  {
    id: 1006,
    status: 'on-hold',
    currency: 'KWD',
    total: '17.375',
    hoursAgo: 26,
    payment: 'bank',
    lines: [
      [105, 2, '11.250'],
      [107, 1, '4.875'],
    ],
    shipping: ['flat_rate', 'Courier', '1.250'],
    customer: dalia,
    address: kuwait,
  },
  {
    id: 1007,
    status: 'on-hold',
    currency: 'EUR',
    total: '449.00',
    hoursAgo: 31,
    payment: 'bank',
    lines: [[111, 1, '449.00']],
    shipping: freeShipping,
    customer: bruno,
    address: hamburg,
  },
  {
    id: 1008,
    status: 'completed',
    currency: 'USD',
    total: '88.00',
    hoursAgo: 50,
    payment: 'card',
    lines: [
      [114, 1, '49.00'],
      [115, 1, '39.00'],
    ],
    shipping: null,
    customer: ada,
    address: portland,
  },
  {
    id: 1009,
    status: 'completed',
    currency: 'SEK',
    total: '389.00',
    hoursAgo: 74,
    payment: 'wallet',
    lines: [[102, 1, '340.00']],
    shipping: courier('49.00'),
    customer: ada,
    address: stockholm,
  },
  {
    id: 1010,
    status: 'cancelled',
    currency: 'EUR',
    total: '13.00',
    hoursAgo: 98,
    payment: 'card',
    lines: [
      [108, 1, '5.60'],
      [107, 1, '7.40'],
    ],
    shipping: pickup,
    customer: eamon,
    address: dublin,
  },
  {
    id: 1011,
    status: 'refunded',
    currency: 'USD',
    total: '25.00',
    hoursAgo: 146,
    payment: 'wallet',
    lines: [[116, 1, '25.00']],
    shipping: null,
    customer: farah,
    address: portland,
  },
  {
    id: 1012,
    status: 'failed',
    currency: 'EUR',
    total: '38.00',
    hoursAgo: 170,
    payment: 'card',
    lines: [[119, 2, '38.00']],
    shipping: freeShipping,
    customer: eamon,
    address: dublin,
  },
  {
    id: 1013,
    status: 'packing',
    currency: 'EUR',
    total: '46.30',
    hoursAgo: 20,
    payment: 'card',
    lines: [
      [131, 2, '25.80'],
      [133, 1, '14.00'],
    ],
    shipping: courier('6.50'),
    customer: greta,
    address: hamburg,
  },
  {
    id: 1014,
    status: 'completed',
    currency: 'EUR',
    total: '96.00',
    hoursAgo: 60,
    payment: 'card',
    lines: [
      [110, 1, '79.00'],
      [132, 1, '13.40'],
    ],
    shipping: ['express', 'Express', '3.60'],
    customer: greta,
    address: dublin,
    refunds: [{ reason: 'The coffee arrived torn open', total: '-13.40' }],
  },
  {
    id: 1015,
    status: 'on-hold',
    currency: 'EUR',
    total: '34.00',
    hoursAgo: 28,
    payment: 'cash',
    lines: [
      [135, 1, '25.00'],
      [121, 1, '9.00'],
    ],
    shipping: null,
    customer: henk,
    address: hamburg,
    coupon: 'welcome10',
  },
  {
    id: 1016,
    status: 'ready-for-pickup',
    currency: 'EUR',
    total: '31.50',
    hoursAgo: 7,
    payment: 'cash',
    lines: [[117, 1, '31.50']],
    shipping: pickup,
    customer: henk,
    address: hamburg,
    coupon: 'welcome10',
  },
];
