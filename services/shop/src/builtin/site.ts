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

export const orderStatusNames = [
  { key: 'pending', name: 'Pending payment' },
  { key: 'processing', name: 'Processing' },
  { key: 'on-hold', name: 'On hold' },
  { key: 'completed', name: 'Completed' },
  { key: 'cancelled', name: 'Cancelled' },
  { key: 'refunded', name: 'Refunded' },
  { key: 'failed', name: 'Failed' },
  { key: 'checkout-draft', name: 'Draft' },
] as const;

export const paymentMethods = [
  { id: 'gateway_card', title: 'Card', description: 'Cards, by the card gateway.', enabled: true },
  { id: 'gateway_wallet', title: 'Wallet', description: 'By the wallet gateway.', enabled: true },
  { id: 'bacs', title: 'Bank transfer', description: 'Paid before the order is sent.', enabled: true },
  { id: 'cheque', title: 'Cheque', description: '', enabled: false },
  { id: 'cod', title: 'Cash on delivery', description: '', enabled: false },
] as const;

export const shippingMethods = [
  { id: 'flat_rate', title: 'Flat rate', description: 'A fixed price for each order or item.' },
  { id: 'free_shipping', title: 'Free shipping', description: 'Free, for example from an amount on or with a coupon.' },
  { id: 'local_pickup', title: 'Local pickup', description: 'Customers pick the order up themselves.' },
] as const;
