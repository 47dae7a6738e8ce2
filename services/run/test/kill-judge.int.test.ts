import { judge, type KillResult, passed } from './kill-harness';

const ledger = [
  { transaction: 'pi_1', order: 1 },
  { transaction: 'pi_2', order: 2 },
  { transaction: 'pi_3', order: 1 },
];
const note = (order: number, transaction: string) => ({ order, text: `paid 7 ${transaction}` });

test('one note on the order of each acknowledged webhook is what was promised', () => {
  const notes = [note(1, 'pi_1'), note(2, 'pi_2'), note(1, 'pi_3'), { order: 1, text: 'a note of somebody else' }];
  expect(judge(ledger, notes, 'paid 7 ')).toEqual({ lost: [], doubled: [] });
});

test('a note that is missing, or on another order, is a loss', () => {
  expect(judge(ledger, [note(1, 'pi_1'), note(1, 'pi_2')], 'paid 7 ')).toEqual({ lost: ['pi_2', 'pi_3'], doubled: [] });
});

test('a second note is a doubling, also of a webhook that was never acknowledged', () => {
  const notes = [note(1, 'pi_1'), note(1, 'pi_1'), note(2, 'pi_2'), note(1, 'pi_3'), note(2, 'pi_4'), note(3, 'pi_4')];
  expect(judge(ledger, notes, 'paid 7 ')).toEqual({ lost: [], doubled: ['pi_1', 'pi_4'] });
});

test('passed means nothing lost, nothing doubled, nothing untold, nothing open', () => {
  const good: KillResult = {
    acknowledged: 3,
    attempts: 3,
    duplicates: 0,
    strikes: 1,
    lost: [],
    doubled: [],
    unlogged: [],
    open: 0,
    drained: 1,
    drainedAfterKill: 1,
  };
  const bad: Partial<KillResult>[] = [{ lost: ['pi_1'] }, { doubled: ['pi_1'] }, { unlogged: ['pi_1'] }, { open: 1 }];
  expect([good, ...bad.map((change) => ({ ...good, ...change }))].map(passed)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
