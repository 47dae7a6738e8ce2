export const demoPosts = [
  { id: 201, title: 'About us', type: 'page', status: 'publish', slug: 'about-us' },
  { id: 202, title: 'Shipping and returns', type: 'page', status: 'publish', slug: 'shipping-and-returns' },
  { id: 203, title: 'How we roast', type: 'post', status: 'publish', slug: 'how-we-roast' },
  { id: 204, title: 'Summer menu', type: 'post', status: 'draft', slug: 'summer-menu' },
] as const;
