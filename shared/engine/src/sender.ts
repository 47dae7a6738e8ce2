import type { Occurrence } from '@order-automation/contracts';

const generic = 'generic';

/** The sender as rules name it: its gateway, or `generic/erp` for one connection of the generic gateway. */
export function senderNamed(name: string): Pick<Occurrence, 'gateway' | 'connection'> {
  const isConnection = name.startsWith(`${generic}/`);
  return isConnection ? { gateway: generic, connection: name.slice(generic.length + 1) } : { gateway: name };
}

/** Which of the names means the sender: its connection or the gateway as a whole. Where none does, its most exact name; null where it is no sender's. */
export function senderAmong({ gateway, connection }: Occurrence, names: readonly string[]): string | null {
  if (gateway === null || connection === undefined) return gateway;
  const exact = `${gateway}/${connection}`;
  return names.includes(gateway) && !names.includes(exact) ? gateway : exact;
}
