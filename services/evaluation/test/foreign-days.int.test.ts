import type { NewAuditEntry } from '@order-automation/contracts';
import { describeLanes, type LaneDeps } from '@order-automation/testing';
import { openEvaluations } from '../src/attempts/evaluations';
import { foreignDays } from '../src/entries/foreign-days';
import type { EvaluationDocument } from '../src/evaluation-document';

const noon = Date.parse('2026-11-25T12:00:00Z');
const hour = 3_600_000;

// Both stores count by the same index.
describeLanes('events about orders of another shop', (lane) => {
  let deps: LaneDeps;
  beforeEach(async () => {
    deps = await lane.deps();
  });
  afterEach(() => deps.close());

  test('are recorded as one entry a day, once for all instances', async () => {
    const evaluations = await openEvaluations(deps.store);
    const done = (_id: string, outcome: string, done_at: number) =>
      evaluations.documents.insertOne({ _id, outcome, done_at, state: 'done' } as unknown as EvaluationDocument);
    await done('evt_1', 'order_foreign', noon);
    await done('evt_2', 'order_foreign', noon + 11 * hour);
    await done('evt_3', 'done', noon);
    await done('evt_4', 'order_foreign', noon + 13 * hour);

    const recorded: NewAuditEntry[] = [];
    const record = async (entries: readonly NewAuditEntry[]): Promise<void> => void recorded.push(...entries);
    const tell = foreignDays({ evaluations, record });
    await tell(noon + 2 * hour);
    expect(recorded).toEqual([]);
    await tell(noon + 14 * hour);
    await tell(noon + 15 * hour);
    expect(recorded.map(({ summary, status, details }) => ({ summary, status, details }))).toEqual([
      {
        summary: expect.stringMatching(/^On 2026-11-25 \(UTC\) 2 events were about orders of another shop: /),
        status: 'info',
        details: { day: '2026-11-25', events: 2 },
      },
    ]);
    await foreignDays({ evaluations, record })(noon + 16 * hour);
    expect(recorded).toHaveLength(2);
    expect(recorded[1]).toEqual(recorded[0]);
  });
});
