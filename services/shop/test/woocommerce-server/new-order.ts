import type { Fields } from './replies';
import type { ShopOrder } from './shop-data';

/** An address without anything in it. */
const address: Fields = {
  first_name: '',
  last_name: '',
  company: '',
  address_1: '',
  address_2: '',
  city: '',
  state: '',
  postcode: '',
  country: '',
};
const noAmounts: Fields = {
  discount_total: '0.00',
  discount_tax: '0.00',
  shipping_total: '0.00',
  shipping_tax: '0.00',
  cart_tax: '0.00',
};

/** An order that nobody has written anything into, with the fields of WooCommerce 11 in its order. */
export function newOrder(id: number, dates: Fields): ShopOrder {
  return {
    id,
    parent_id: 0,
    status: 'pending',
    currency: 'USD',
    version: '11.0.1',
    prices_include_tax: false,
    date_created: dates.date_created,
    date_modified: dates.date_modified,
    ...noAmounts,
    total: '49.00',
    total_tax: '0.00',
    customer_id: 0,
    order_key: `wc_order_${id}`,
    billing: { ...address, email: '', phone: '' },
    shipping: { ...address, phone: '' },
    payment_method: '',
    payment_method_title: '',
    transaction_id: '',
    customer_ip_address: '',
    customer_user_agent: '',
    created_via: '',
    customer_note: '',
    date_completed: null,
    date_paid: null,
    cart_hash: '',
    number: String(id),
    meta_data: [],
    line_items: [],
    tax_lines: [],
    shipping_lines: [],
    fee_lines: [],
    coupon_lines: [],
    refunds: [],
    payment_url: `https://shop.example/checkout/order-pay/${id}/?pay_for_order=true&key=wc_order_${id}`,
    is_editable: true,
    needs_payment: true,
    needs_processing: true,
    date_created_gmt: dates.date_created_gmt,
    date_modified_gmt: dates.date_modified_gmt,
    date_completed_gmt: null,
    date_paid_gmt: null,
    currency_symbol: '$',
    _links: { self: [{ href: `https://shop.example/wp-json/wc/v3/orders/${id}` }] },
  };
}

/** What follows from the status. */
export function statusFlags({ status, total }: Fields): Fields {
  return {
    is_editable: ['pending', 'on-hold', 'auto-draft'].includes(String(status)),
    needs_payment: ['pending', 'failed', 'checkout-draft'].includes(String(status)) && Number(total) > 0,
  };
}

const money = (amount: number): string => amount.toFixed(2);
const untaxed: Fields = { tax_class: '', subtotal_tax: '0.00', total_tax: '0.00', taxes: [], meta_data: [] };

/** A line of an order over products of the shop, reduced by so many per cent. */
export function newLine(id: number, line: Fields, products: readonly Fields[], percent: number): Fields {
  const { product_id, variation_id = 0, quantity = 1 } = line;
  const [product, variation] = [product_id, variation_id].map((one) => products.find((known) => known.id === one));
  const { name, sku, price } = variation ?? product ?? {};
  const subtotal = Number(price) * Number(quantity);
  const total = subtotal * (1 - percent / 100);
  const attributes = (variation?.attributes ?? []) as Fields[];
  return {
    id,
    name,
    product_id,
    variation_id,
    quantity,
    tax_class: '',
    subtotal: money(subtotal),
    subtotal_tax: '0.00',
    total: money(total),
    total_tax: '0.00',
    taxes: [],
    meta_data: attributes.map(({ name: label, slug, option }) => ({
      id,
      key: slug,
      value: option,
      display_key: label,
      display_value: option,
    })),
    sku,
    global_unique_id: '',
    price: total / Number(quantity),
    image: { id: variation ? 0 : '', src: '' },
    parent_name: variation ? product?.name : null,
  };
}

/** What is asked for beside products, and the sums. */
export function newExtras(fields: Fields, lines: readonly Fields[], coupons: readonly Fields[], id: () => number) {
  const listed = (name: string): Fields[] => (fields[name] ?? []) as Fields[];
  const sum = (of: readonly Fields[], name: string) => of.reduce((total, one) => total + Number(one[name]), 0);
  const discount = sum(lines, 'subtotal') - sum(lines, 'total');
  const { subtotal_tax: _none, tax_class, ...free } = untaxed;
  const shipping_lines = listed('shipping_lines').map(({ method_id, method_title, total }) => ({
    ...{ id: id(), method_title, method_id, instance_id: '', total, total_tax: '0.00', taxes: [] },
    ...{ tax_status: 'taxable', meta_data: [] },
  }));
  const fee_lines = listed('fee_lines').map(({ name, total }) => ({
    ...{ id: id(), name, tax_class, tax_status: 'taxable', amount: '', total },
    ...free,
  }));
  const coupon_lines = coupons.map(({ id: coupon, code, amount, discount_type }) => {
    const value = JSON.stringify([coupon, code, discount_type, Number(amount)]);
    const info = { id: id(), key: 'coupon_info', value, display_key: 'coupon_info', display_value: value };
    const given = {
      id: id(),
      code,
      discount: String(Number(discount.toFixed(2))),
      discount_tax: '0',
      meta_data: [info],
    };
    return { ...given, discount_type, nominal_amount: Number(amount), free_shipping: false };
  });
  const total = sum(lines, 'total') + sum(shipping_lines, 'total') + sum(fee_lines, 'total');
  const sums = {
    discount_total: money(discount),
    shipping_total: money(sum(shipping_lines, 'total')),
    total: money(total),
  };
  return { ...sums, line_items: lines, shipping_lines, fee_lines, coupon_lines };
}
