import type { PostDocument } from '../builtin/posts';

export const demoPosts: readonly PostDocument[] = [
  { _id: 201, title: 'About us', type: 'page', status: 'publish' },
  { _id: 202, title: 'Shipping and returns', type: 'page', status: 'publish' },
  { _id: 203, title: 'How we roast', type: 'post', status: 'publish' },
  { _id: 204, title: 'Summer menu', type: 'post', status: 'draft' },
];
