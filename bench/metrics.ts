/** Reads what a running product counts. */

/** Events from gateways that evaluation has finished, effects and log entries stored, summed over these ops ports. */
export async function eventsDone(opsPorts: readonly number[]): Promise<number> {
  const texts = await Promise.all(opsPorts.map(scrape));
  return texts.reduce((sum, text) => sum + total(text, 'evaluation_events_total', 'origin="intake"'), 0);
}

async function scrape(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  return answer.text();
}

/** Sum of the samples of a metric whose labels contain that text. */
export function total(text: string, metric: string, label: string): number {
  let sum = 0;
  for (const line of text.split('\n')) {
    if (line.startsWith(`${metric}{`) && line.includes(label)) sum += Number(line.slice(line.lastIndexOf(' ') + 1));
  }
  return sum;
}
