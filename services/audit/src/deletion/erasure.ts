import type { Bus } from '@order-automation/bus';
import { type Answer, counted, isoTime, type NewAuditRecord } from '@order-automation/contracts';
import type { Log } from '../log';
import { entriesOf, leadsTo, withoutPerson } from '../records/log-record';
import { replaceAll } from '../records/records';
import { noticeOf } from './deletion';
import { customerHashes, emailHashes } from './person';

export type ErasureDeps = Log & { readonly bus: Pick<Bus, 'request'> };

const atOnce = 500;
/** Milliseconds: intake reads every payload that it keeps. */
const timeout = 9 * 60_000;

/**
 * Takes what links entries to a person out of the log, and the person out of what intake received, evaluation sent and the shop keeps of commands (decisions.md section 7): afterwards
 * nobody finds them by the address or the customer id. A call that failed half-way can be made again.
 * Each entry keeps the salted hash of what is erased, so that the chain stays verifiable; without the salt nobody can guess what it stands for.
 */
export const erasePerson: Answer<'audit.person.erase.v1', ErasureDeps> = async (
  { email, customer_id, user, process_id },
  deps,
) => {
  const { bus, clock, record, scrub } = deps;
  const person = { email, customer_id };
  const payloads = await inParts((from) => bus.request('intake.person.erase.v1', { ...person, from }, { timeout }));
  const deliveries = await inParts((from) =>
    bus.request('evaluation.person.erase.v1', { ...person, from }, { timeout }),
  );
  const commands = await inParts((from) => bus.request('shop.person.erase.v1', { ...person, from }, { timeout }));
  const byEmail = email === null ? [] : emailHashes(email, deps.keys);
  const byCustomer = customer_id === null ? [] : customerHashes(customer_id, deps.keys);
  const erased = await unlink(new Set([...byEmail, ...byCustomer]), process_id, deps);
  await scrub();
  const all = { erased, payloads, deliveries, commands };
  await record([erasureNotice(process_id, user, all, isoTime(clock.now()))]);
  return all;
};

/** Asks until everything is walked. Resolves with the sums of what the parts count. */
async function inParts<T extends { readonly next?: string | null | undefined }>(
  ask: (from: string) => Promise<T>,
): Promise<Omit<T, 'next'>> {
  const sums: Record<string, number> = {};
  for (let from: string | null = ''; from !== null; ) {
    const { next = null, ...counts }: T = await ask(from);
    for (const [name, count] of Object.entries(counts) as [string, number][]) sums[name] = (sums[name] ?? 0) + count;
    from = next;
  }
  return sums as Omit<T, 'next'>;
}

/** Resolves with how many entries led to the person. */
async function unlink(hashes: ReadonlySet<string>, by: string, { records, keys }: Log): Promise<number> {
  let erased = 0;
  for (const hash of hashes) {
    for (;;) {
      const found = await records.ofPerson(hash, atOnce);
      if (found.length === 0) break;
      erased += found.flatMap(entriesOf).filter((entry) => leadsTo(entry, hashes)).length;
      await replaceAll(
        found.map(({ _id }) => _id),
        (record) => withoutPerson(record, hashes, by, keys),
        records,
      );
    }
  }
  return erased;
}

type Counted = { readonly erased: number };
type Erased = Counted & Readonly<Record<'payloads' | 'deliveries' | 'commands', Counted>>;

function erasureNotice(process_id: string, user: string, erased: Erased, timestamp: string): NewAuditRecord {
  const entries = counted(erased.erased, 'entry', 'entries');
  const webhooks = counted(erased.payloads.erased, 'received webhook');
  const sent = counted(erased.deliveries.erased, 'e-mail or outbound call', 'e-mails and outbound calls');
  const summary = `${user} erased a person: ${entries} no longer lead to that person, and the payloads of ${webhooks} and of ${sent} were removed.`;
  const details = { user, ...erased };
  return noticeOf(`${process_id}:erased`, { process_id, timestamp, source: 'manual', summary, details });
}
