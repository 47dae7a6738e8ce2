import type { AuditEntry, AuditFilters, NewAuditEntry } from '@order-automation/contracts';
import { buildAuditEntry, describeLanes } from '@order-automation/testing';
import fc from 'fast-check';
import { erasePerson } from '../src/deletion/erasure';
import { listEntries } from '../src/reading/list';
import { scanEntries } from '../src/reading/scan';
import { erasing, openLog } from './log';

const statuses = ['success', 'error', 'info', 'skipped'] as const;
const types = ['webhook_received', 'rule_evaluation', 'action_executed', 'action_failed', 'process_completed'] as const;
const sources = ['webhook', 'manual', 'scheduled'] as const;
const words = ['red', 'blue', 'green', 'mug', 'cup', 'glass', 'paid', 'late'];
const all = { include_debug: true, include_test: true };
const orders = 300;
const minute = 60_000;
const start = Date.parse('2026-02-01T00:00:00.000Z');

/** Repeatable numbers below `below`. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** As many entries, of processes with 1 to 12 of them, as time goes on; some name a person. */
function history(count: number): NewAuditEntry[] {
  const next = numbers(7);
  const one = <T>(values: readonly T[]): T => values[next(values.length)] as T;
  const entries: NewAuditEntry[] = [];
  for (let process = 0; entries.length < count; process += 1) {
    const size = Math.min(1 + next(12), count - entries.length);
    for (let at = 0; at < size; at += 1) {
      const person = next(20) === 0 ? ` for ada${next(5)}@example.com` : '';
      entries.push(
        buildAuditEntry({
          process_id: `proc_${process}`,
          uid: `evt_proc_${process}:${at}`,
          timestamp: new Date(start + process * minute + at * 1000).toISOString(),
          status: one(statuses),
          event_type: one(types),
          source: one(sources),
          summary: `${one(words)} ${one(words)} ${one(words)}${person}`,
          order_id: next(4) === 0 ? null : next(orders),
          rule_id: next(3) === 0 ? null : next(12),
          is_test: next(12) === 0,
          is_debug: next(12) === 0,
        }),
      );
    }
  }
  return entries;
}

const some = <T>(values: readonly T[]) => fc.option(fc.subarray([...values], { minLength: 1 }), { nil: undefined });
const few = (max: number) =>
  fc.option(fc.uniqueArray(fc.nat({ max }), { minLength: 1, maxLength: 4 }), { nil: undefined });

const filtersOf = (processes: number) =>
  fc
    .record({
      include_debug: fc.boolean(),
      include_test: fc.boolean(),
      status: some(statuses),
      event_type: some(types),
      source: some(sources),
      order_id: few(orders),
      rule_id: few(12),
      process: few(processes),
      search: fc.option(fc.constantFrom(...words, 'red mug', 'paid late', 'ada1@example.com', 'none'), {
        nil: undefined,
      }),
      from: fc.option(fc.nat({ max: processes }), { nil: undefined }),
      to: fc.option(fc.nat({ max: processes }), { nil: undefined }),
      // Most filters are rare, so that combinations find something.
      kept: fc.subarray(['status', 'event_type', 'source', 'order_id', 'rule_id', 'process', 'search', 'from', 'to'], {
        maxLength: 3,
      }),
    })
    .map(({ include_debug, include_test, process, from, to, kept, ...values }): AuditFilters => {
      const at = (index: number) => new Date(start + index * minute).toISOString();
      const given = {
        ...values,
        process: process?.map((index) => `proc_${index}`),
        from: from === undefined ? undefined : at(from),
        to: to === undefined ? undefined : at(to),
      };
      const names = { process: 'process_id', from: 'date_from', to: 'date_to' } as const;
      const chosen = kept.flatMap((name) => {
        const value = given[name as keyof typeof given];
        return value === undefined ? [] : [[names[name as keyof typeof names] ?? name, value]];
      });
      return { include_debug, include_test, ...Object.fromEntries(chosen) };
    });

/** What the filters say, entry by entry. `named` are the addresses that entries named, by their uid. */
function isWanted(entry: AuditEntry, filters: AuditFilters, named: ReadonlyMap<number, string>): boolean {
  const { search, date_from = '', date_to = 'z' } = filters;
  const has = <T>(wanted: readonly T[] | undefined, value: T | null) =>
    wanted === undefined || (value !== null && wanted.includes(value));
  const inText = `${entry.summary} ${entry.order_id ?? ''}`.split(/[^a-z0-9]+/i);
  const isFound = search?.includes('@')
    ? named.get(entry.id) === search
    : (search ?? '').split(' ').every((word) => word === '' || inText.includes(word));
  return (
    (filters.include_debug || !entry.is_debug) &&
    (filters.include_test || !entry.is_test) &&
    has(filters.status, entry.status) &&
    has(filters.event_type, entry.event_type) &&
    has(filters.source, entry.source) &&
    has(filters.order_id, entry.order_id) &&
    has(filters.rule_id, entry.rule_id) &&
    has(filters.process_id, entry.process_id) &&
    entry.timestamp >= date_from &&
    entry.timestamp <= date_to &&
    isFound
  );
}

describeLanes('audit: filters and totals', (lane) => {
  test('are those of a plain reading of the whole log', async () => {
    const isEmbedded = lane.name === 'embedded';
    const count = isEmbedded ? 20_000 : 800;
    const deps = await lane.deps();
    const log = await openLog(deps, isEmbedded ? 512 : 32);
    const logged = history(count);
    for (let from = 0; from < count; from += 500) {
      // Overlapping parts: what the last one had at its end comes again.
      await log.recordEntries(logged.slice(Math.max(0, from - 7), from + 500));
      if (from % 2_000 === 0) await log.settle();
    }
    await log.totals.roll();
    const person = { email: 'ada2@example.com', customer_id: null, user: 'ada', process_id: 'proc_erase' };
    await erasePerson(person, { ...log, bus: erasing() });
    const read = async (filters: AuditFilters, order: 'newest' | 'oldest', limit = 1000): Promise<AuditEntry[]> => {
      const found: AuditEntry[] = [];
      for (let from_id: number | null = null; ; ) {
        const page: Awaited<ReturnType<typeof scanEntries>> = await scanEntries(
          { filters, order, from_id, limit },
          log,
        );
        found.push(...page.logs);
        if (page.next_id === null) return found;
        from_id = page.next_id;
      }
    };
    const before = await read(all, 'newest');
    expect(before.length).toBe(count + 1);
    const log_ids = before.filter((_, index) => index % 211 === 5).map(({ id }) => id);
    await log.deletions.remove({ log_ids, user: 'ada', process_id: 'proc_delete' });
    const entries = await read(all, 'newest', 333);
    expect(await read(all, 'oldest', 250)).toEqual([...entries].reverse());
    expect(entries.length).toBe(count + 2 - log_ids.length);
    expect(entries.map(({ id }) => id)).toEqual([...entries].map(({ id }) => id).sort((a, b) => b - a));

    const address = new Map(logged.map(({ process_id, timestamp, summary }) => [process_id + timestamp, summary]));
    const named = new Map(
      entries.flatMap(({ id, process_id, timestamp }) => {
        const found = /ada[0-9]@example.com/.exec(address.get(process_id + timestamp) ?? '')?.[0];
        return found === undefined || found === 'ada2@example.com' ? [] : [[id, found] as const];
      }),
    );
    const processes = new Set(logged.map(({ process_id }) => process_id)).size;
    await fc.assert(
      fc.asyncProperty(
        filtersOf(processes),
        fc.nat(),
        fc.integer({ min: 1, max: 60 }),
        async (filters, nth, per_page) => {
          const wanted = entries.filter((entry) => isWanted(entry, filters, named));
          const most = filters.search === undefined ? Number.POSITIVE_INFINITY : 2_000;
          const shown = wanted.slice(0, most);
          const page = 1 + (nth % Math.min(1000, Math.ceil(shown.length / per_page) + 1));
          const flat = await listEntries({ view: 'flat', page, per_page, filters }, log);
          expect([filters, flat.pagination.total]).toEqual([filters, shown.length]);
          expect(flat.logs).toEqual(shown.slice((page - 1) * per_page, page * per_page));
          const grouped = await listEntries({ view: 'consolidated', page: 1, per_page: 200, filters }, log);
          const ids = [...new Set(wanted.map(({ process_id }) => process_id))];
          if (!grouped.is_truncated) expect([filters, grouped.pagination.total]).toEqual([filters, ids.length]);
          for (const { process_id } of grouped.logs) expect(ids).toContain(process_id);
          const [newest] = wanted;
          const scanned = await scanEntries({ filters, order: 'newest', from_id: newest?.id ?? null, limit: 20 }, log);
          expect(scanned.logs).toEqual(wanted.slice(1, 21));
        },
      ),
      { numRuns: isEmbedded ? 80 : 25, endOnFailure: true },
    );
    expect(await log.verify()).toMatchObject({ valid: true });
    await deps.close();
  }, 240_000);
});
