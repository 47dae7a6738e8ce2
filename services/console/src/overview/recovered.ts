import { countText, plural, timeText } from '../shell/format';

/** As `GET /v1/overview` has it, in a type of its own: the outage drill, which is in no browser, says the same sentences. */
type Recovered = {
  readonly gateway: string;
  readonly from: string;
  readonly to: string;
  readonly total: number;
  readonly done: number;
  readonly waiting: number;
  readonly dead: number;
  readonly asking: boolean;
  readonly asked_until: string | null;
};

/** What a gap has swallowed, what became of it, and up to when nothing is missing. `now` in milliseconds since the epoch. */
export function recoveredText(recovered: Recovered, now: number, timeZone: string): string {
  const { gateway, from, to, total, asking, asked_until } = recovered;
  const sender = `the ${gateway.replace(/^gateway_/, '')} gateway`;
  const shown = (time: string) => timeText(time, now, timeZone);
  const when = from === to ? `at ${shown(from)}` : `between ${shown(from)} and ${shown(to)}`;
  const until = asked_until === null ? '' : ` up to ${shown(asked_until)}`;
  return [
    `${plural(total, 'event')} that ${sender} sent ${when} never arrived here or ${total === 1 ? 'was' : 'were'} refused.`,
    `${total === 1 ? 'It was' : 'All were'} fetched from its list of events${endsText(recovered)}.`,
    asking ? `It is still being asked: everything it sent${until} is here.` : `Everything it sent${until} is here now.`,
  ].join(' ');
}

function endsText({ total, done, waiting, dead }: Recovered): string {
  if (done === total) return ` and ${total === 1 ? 'is' : 'are'} done`;
  const parts = [
    [done, done === 1 ? 'is done' : 'are done'],
    [waiting, waiting === 1 ? 'waits for its order' : 'wait for their orders'],
    [dead, dead === 1 ? 'was given up' : 'were given up'],
    [total - done - waiting - dead, total - done - waiting - dead === 1 ? 'is not done yet' : 'are not done yet'],
  ] as const;
  return `: ${parts
    .filter(([count]) => count > 0)
    .map(([count, text]) => `${countText(count)} ${text}`)
    .join(', ')}`;
}
