/** What a WooCommerce shop has without anybody setting it up. */

export const roles = [
  { key: 'administrator', name: 'Administrator' },
  { key: 'editor', name: 'Editor' },
  { key: 'author', name: 'Author' },
  { key: 'contributor', name: 'Contributor' },
  { key: 'subscriber', name: 'Subscriber' },
  { key: 'customer', name: 'Customer' },
  { key: 'shop_manager', name: 'Shop manager' },
  { key: 'wholesale', name: 'Wholesale customer' },
  { key: 'guest', name: 'Guest, without an account' },
] as const;

/** With the prefix that search-content shows (decisions.md section 5). */
export const statuses = [
  { key: 'wc-pending', name: 'Pending payment' },
  { key: 'wc-processing', name: 'Processing' },
  { key: 'wc-on-hold', name: 'On hold' },
  { key: 'wc-completed', name: 'Completed' },
  { key: 'wc-cancelled', name: 'Cancelled' },
  { key: 'wc-refunded', name: 'Refunded' },
  { key: 'wc-failed', name: 'Failed' },
  { key: 'wc-checkout-draft', name: 'Draft' },
] as const;

export const paymentMethods = [
  { id: 'gateway_card', title: 'Card', enabled: true },
  { id: 'gateway_wallet', title: 'Wallet', enabled: true },
  { id: 'bacs', title: 'Bank transfer', enabled: true },
  { id: 'cheque', title: 'Cheque', enabled: false },
  { id: 'cod', title: 'Cash on delivery', enabled: false },
] as const;

export const shippingMethods = [
  { id: 'flat_rate', title: 'Flat rate', description: 'A fixed price for each order or item.' },
  { id: 'free_shipping', title: 'Free shipping', description: 'Free, for example from an amount on or with a coupon.' },
  { id: 'local_pickup', title: 'Local pickup', description: 'Customers pick the order up themselves.' },
] as const;
