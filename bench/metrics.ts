/** Reads what a running product counts, from the texts of its ops ports. */

export async function scrapeAll(opsPorts: readonly number[]): Promise<readonly string[]> {
  return Promise.all(
    opsPorts.map(async (port) => {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
      return answer.text();
    }),
  );
}

type Sample = { readonly labels: string; readonly value: number };

function samples(texts: readonly string[], metric: string): Sample[] {
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.startsWith(`${metric}{`));
  return lines.map((line) => {
    const end = line.lastIndexOf('} ');
    return { labels: line.slice(metric.length + 1, end), value: Number(line.slice(end + 2)) };
  });
}

/** Events that evaluation has finished, effects and log entries stored: those from gateways, or changes of the shop. */
export function eventsDone(texts: readonly string[], origin: 'intake' | 'shop' = 'intake'): number {
  const events = samples(texts, 'order_automation_evaluation_events_total').filter(({ labels }) =>
    labels.includes(`origin="${origin}"`),
  );
  return events.reduce((sum, { value }) => sum + value, 0);
}

/** Upper bound in milliseconds to the number of events that took no longer. */
export type Durations = ReadonlyMap<number, number>;

/** From the arrival of an event until its effects and entries are stored. */
export function durations(texts: readonly string[]): Durations {
  const counts = new Map<number, number>();
  for (const { labels, value } of samples(texts, 'order_automation_evaluation_event_seconds_bucket')) {
    const bound = /le="([^"]+)"/.exec(labels)?.[1] ?? '';
    const milliseconds = bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound) * 1000;
    counts.set(milliseconds, (counts.get(milliseconds) ?? 0) + value);
  }
  return counts;
}

/** The smallest bound, in milliseconds, that this share of the events between the two readings kept. */
export function boundOf(before: Durations, after: Durations, share: number): number {
  const bounds = [...after.keys()].sort((a, b) => a - b);
  const within = (bound: number): number => (after.get(bound) ?? 0) - (before.get(bound) ?? 0);
  const all = within(Number.POSITIVE_INFINITY);
  return bounds.find((bound) => within(bound) >= all * share) ?? Number.NaN;
}
