type Category = { readonly id: number; readonly name: string; readonly parent?: string };

/** The demonstration shop's categories, by slug. */
export const demoCategories = {
  coffee: { id: 11, name: 'Coffee' },
  tea: { id: 12, name: 'Tea' },
  equipment: { id: 13, name: 'Equipment' },
  courses: { id: 14, name: 'Courses' },
  gifts: { id: 15, name: 'Gifts' },
  subscriptions: { id: 16, name: 'Subscriptions' },
  'single-origin': { id: 17, name: 'Single origin', parent: 'coffee' },
  ethiopia: { id: 18, name: 'Ethiopia', parent: 'single-origin' },
  'green-tea': { id: 19, name: 'Green tea', parent: 'tea' },
} as const satisfies Record<string, Category>;

/** Its tags, by slug. */
export const demoTags = {
  organic: { id: 31, name: 'Organic' },
  decaf: { id: 32, name: 'Decaf' },
  bestseller: { id: 33, name: 'Bestseller' },
  fragile: { id: 34, name: 'Fragile' },
  sale: { id: 35, name: 'Sale' },
} as const;

export type DemoProduct = {
  readonly id: number;
  readonly name: string;
  readonly sku: string;
  readonly type: 'simple' | 'variable' | 'subscription' | 'variable-subscription' | 'grouped' | 'external';
  readonly price: string;
  readonly virtual?: true;
  readonly downloadable?: true;
  /** Pieces in stock, where the shop counts them. */
  readonly stock?: number;
  readonly categories: readonly (keyof typeof demoCategories)[];
  readonly tags?: readonly (keyof typeof demoTags)[];
};

export const demoProducts: readonly DemoProduct[] = [
  {
    id: 101,
    name: 'House Blend, 250 g',
    sku: 'COF-HOUSE-250',
    type: 'simple',
    price: '9.50',
    stock: 120,
    categories: ['coffee'],
    tags: ['bestseller'],
  },
  {
    id: 102,
    name: 'House Blend, 1 kg',
    sku: 'COF-HOUSE-1000',
    type: 'simple',
    price: '32.00',
    stock: 45,
    categories: ['coffee'],
    tags: ['bestseller'],
  },
  {
    id: 103,
    name: 'Yirgacheffe, 250 g',
    sku: 'COF-YIRGA-250',
    type: 'variable',
    price: '12.90',
    stock: 60,
    categories: ['ethiopia'],
    tags: ['organic'],
  },
  {
    id: 104,
    name: 'Decaf Sierra, 250 g',
    sku: 'COF-DECAF-250',
    type: 'variable',
    price: '11.50',
    stock: 38,
    categories: ['coffee'],
    tags: ['decaf', 'organic'],
  },
  {
    id: 105,
    name: 'Espresso Nero, 500 g',
    sku: 'COF-NERO-500',
    type: 'simple',
    price: '18.40',
    stock: 80,
    categories: ['coffee'],
  },
  {
    id: 106,
    name: 'Sencha, 100 g',
    sku: 'TEA-SENCHA-100',
    type: 'simple',
    price: '8.20',
    stock: 70,
    categories: ['green-tea'],
    tags: ['organic'],
  },
  {
    id: 107,
    name: 'Earl Grey, 100 g',
    sku: 'TEA-EARL-100',
    type: 'simple',
    price: '7.40',
    stock: 90,
    categories: ['tea'],
  },
  {
    id: 108,
    name: 'Herbal Evening, 20 bags',
    sku: 'TEA-HERB-20',
    type: 'simple',
    price: '5.60',
    stock: 150,
    categories: ['tea'],
    tags: ['sale'],
  },
  {
    id: 109,
    name: 'Pour-over Dripper',
    sku: 'EQ-DRIP-01',
    type: 'simple',
    price: '24.00',
    stock: 25,
    categories: ['equipment'],
    tags: ['fragile'],
  },
  {
    id: 110,
    name: 'Hand Grinder',
    sku: 'EQ-GRIND-01',
    type: 'simple',
    price: '79.00',
    stock: 12,
    categories: ['equipment'],
  },
  {
    id: 111,
    name: 'Espresso Machine Uno',
    sku: 'EQ-ESPR-01',
    type: 'simple',
    price: '449.00',
    stock: 4,
    categories: ['equipment'],
  },
  {
    id: 112,
    name: 'Ceramic Mug',
    sku: 'EQ-MUG',
    type: 'variable',
    price: '14.00',
    stock: 55,
    categories: ['equipment', 'gifts'],
    tags: ['fragile'],
  },
  { id: 113, name: 'Brewing Set', sku: 'EQ-SET', type: 'grouped', price: '117.00', categories: ['equipment', 'gifts'] },
  {
    id: 114,
    name: 'Barista Course, online',
    sku: 'CRS-BAR-01',
    type: 'simple',
    price: '49.00',
    virtual: true,
    categories: ['courses'],
    tags: ['bestseller'],
  },
  {
    id: 115,
    name: 'Latte Art Course, online',
    sku: 'CRS-ART-01',
    type: 'simple',
    price: '39.00',
    virtual: true,
    categories: ['courses'],
  },
  {
    id: 116,
    name: 'Gift Card',
    sku: 'GIFT-CARD',
    type: 'variable',
    price: '25.00',
    virtual: true,
    categories: ['gifts'],
  },
  {
    id: 117,
    name: 'Tasting Box',
    sku: 'GIFT-TASTE',
    type: 'simple',
    price: '35.00',
    stock: 30,
    categories: ['coffee', 'gifts'],
    tags: ['bestseller'],
  },
  {
    id: 118,
    name: 'Coffee Subscription, monthly',
    sku: 'SUB-COF-M',
    type: 'subscription',
    price: '29.00',
    categories: ['subscriptions', 'coffee'],
  },
  {
    id: 119,
    name: 'Tea Subscription',
    sku: 'SUB-TEA',
    type: 'variable-subscription',
    price: '19.00',
    categories: ['subscriptions', 'tea'],
  },
  {
    id: 120,
    name: 'Roaster Tour Tickets',
    sku: 'EXT-TOUR',
    type: 'external',
    price: '15.00',
    virtual: true,
    categories: ['gifts'],
    tags: ['sale'],
  },
  {
    id: 121,
    name: 'Brewing Guide, PDF',
    sku: 'BOOK-BREW',
    type: 'simple',
    price: '9.00',
    virtual: true,
    downloadable: true,
    categories: ['courses'],
  },
];
