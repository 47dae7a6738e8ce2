/**
 * The databases in the order in which a backup takes them. An event goes from intake through evaluation to the shop and into the log, and each step
 * stores its result before the one before it is told. So what an earlier database of this list says is done, a later one has: an event that intake
 * calls done has its evaluation, an action that evaluation calls done has its change, and every change has its entries. What a later database has
 * and an earlier one has not is done again after a restore, under the same keys, and so once.
 */
export const backupOrder = [
  'gateway-intake',
  'evaluation',
  'rules',
  'shop',
  'pro-debug',
  'api-gateway',
  'audit',
] as const;
