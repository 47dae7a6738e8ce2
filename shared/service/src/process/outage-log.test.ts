import { type OutageLog, outageLog } from './outage-log';

type Line = { readonly level: 'warn' | 'info'; readonly text: string; readonly facts: Record<string, unknown> };

function recording(): { readonly outage: OutageLog; readonly lines: Line[]; readonly pass: (ms: number) => void } {
  let now = 0;
  const lines: Line[] = [];
  const write = (level: Line['level']) => (facts: Record<string, unknown>, text: string) =>
    lines.push({ level, facts, text });
  const log = { warn: write('warn'), info: write('info') } as unknown as Parameters<typeof outageLog>[1]['log'];
  return {
    outage: outageLog('asking audit', { clock: { now: () => now }, log }),
    lines,
    pass: (ms) => {
      now += ms;
    },
  };
}

test('an outage of three minutes that fails once a second is four lines, and one when it ends', () => {
  const { outage, lines, pass } = recording();
  const error = new Error('no responder');
  for (let second = 0; second < 181; second += 1) {
    outage.failed(error, second);
    pass(1_000);
  }
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatchObject({ level: 'warn', facts: { err: error, waiting: 0 } });
  expect(lines[3]?.facts).toEqual({ since: '1970-01-01T00:00:00.000Z', waiting: 180, cause: 'no responder' });
  outage.recovered();
  outage.recovered();
  expect(lines).toHaveLength(5);
  expect(lines[4]).toMatchObject({ level: 'info', facts: { took_ms: 181_000 } });
});

test('another cause is said at once', () => {
  const { outage, lines } = recording();
  outage.failed(new Error('timeout'), 1);
  outage.failed(new Error('timeout'), 2);
  outage.failed(new Error('closed'), 3);
  expect(lines.map(({ facts }) => facts.waiting)).toEqual([1, 3]);
});
