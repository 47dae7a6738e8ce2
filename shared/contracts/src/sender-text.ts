/** What people call a sender: `gateway_card` is "the card gateway"; a connection has its own name. */
export const senderText = (name: string): string =>
  name.replace(/^gateway_(\w+)$/, 'the $1 gateway').replace(/^generic\//, '');
