import { type Bus, BusError, retryOf } from '@order-automation/bus';
import type { NewAuditEntry } from '@order-automation/contracts';
import { buildAuditEntry } from '@order-automation/testing';
import { auditPort } from './audit';

const maxBytes = 100_000;

/** A log behind a bus that takes messages of so many bytes. */
function narrowLog() {
  const recorded: { uid: string; details: Record<string, unknown> }[] = [];
  const request = async (_type: string, input: { records: { entries: typeof recorded }[] }) => {
    if (JSON.stringify(input).length > maxBytes) throw new BusError('too_large', 'does not fit');
    recorded.push(...input.records.flatMap(({ entries }) => entries));
    return { recorded: 0, duplicates: 0 };
  };
  return { recorded, record: auditPort({ request } as unknown as Bus) };
}

const entry = (index: number, text: string): NewAuditEntry => ({
  ...buildAuditEntry(),
  uid: `evt_1:rule:${index}`,
  details: { conditions: text },
});

test('the entries of one event that do not fit into a message are handed over in parts, each once', async () => {
  const { recorded, record } = narrowLog();
  const entries = Array.from({ length: 380 }, (_, index) => entry(index, 'x'.repeat(4_000)));
  await record({ uid: 'evt_1', process_id: 'proc_1', entries });
  expect(recorded.map(({ uid }) => uid).sort()).toEqual(entries.map(({ uid }) => uid).sort());
  expect(recorded.every(({ details }) => 'conditions' in details)).toBe(true);
});

test('an entry that alone does not fit loses its details, and the others keep theirs', async () => {
  const { recorded, record } = narrowLog();
  await record({
    uid: 'evt_1',
    process_id: 'proc_1',
    entries: [entry(1, 'x'), entry(2, 'x'.repeat(2 * maxBytes)), entry(3, 'x')],
  });
  expect(recorded.map(({ uid, details }) => [uid, Object.keys(details)])).toEqual([
    ['evt_1:rule:1', ['conditions']],
    ['evt_1:rule:2', ['left_out']],
    ['evt_1:rule:3', ['conditions']],
  ]);
});

test('too large is no outage', () => {
  expect(retryOf(new BusError('too_large', 'does not fit'))).toBe('never');
  expect(retryOf(new BusError('timeout', 'no answer'))).toBe('later');
});
