import { holdsAddress } from '@order-automation/service';

/** The value with every text that holds the address replaced. */
export function withoutAddress<T>(value: T, email: string): T {
  if (typeof value === 'string') return (holdsAddress(value, email) ? '[erased]' : value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutAddress(item, email)) as T;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withoutAddress(field, email)])) as T;
}
