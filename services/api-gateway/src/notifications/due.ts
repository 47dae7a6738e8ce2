import titles from './causes.json';
import type { Cause, Problem } from './problems';

/** What was last said about a cause: since when it is open, which problems it had then, and when that was sent. */
export type Open = { readonly since: number; readonly sent_at: number; readonly keys: readonly string[] };

export type Subscription = {
  readonly causes: readonly Cause[];
  readonly quiet_minutes: number;
  readonly open: Readonly<Partial<Record<Cause, Open>>>;
};

/** One message. `recovered`: nothing of the cause is wrong any more. */
export type Notice = {
  readonly cause: Cause;
  readonly recovered: boolean;
  readonly problems: readonly Problem[];
  readonly since: number;
};

export type Decision = { readonly notices: readonly Notice[]; readonly open: Subscription['open'] };

/** Milliseconds after which a problem that lasts is said again. */
const remindAfter = 24 * 60 * 60_000;

/**
 * The messages that are due, at most one for each cause in `quiet_minutes`: one when a cause begins to have problems or has others than were said,
 * a reminder each day, and one when it has none any more. Pure: storing `open` and sending are the caller's.
 */
export function decide(
  { causes, quiet_minutes, open }: Subscription,
  problems: readonly Problem[],
  now: number,
): Decision {
  const notices: Notice[] = [];
  const next: Partial<Record<Cause, Open>> = {};
  for (const cause of causes) {
    const current = problems.filter((problem) => problem.cause === cause);
    const known = open[cause];
    const isQuiet = known !== undefined && now - known.sent_at < quiet_minutes * 60_000;
    if (current.length === 0) {
      if (known && isQuiet) next[cause] = known;
      else if (known) notices.push({ cause, recovered: true, problems: [], since: known.since });
      continue;
    }
    const since = known?.since ?? now;
    const isNew = current.some(({ key }) => !known?.keys.includes(key));
    const isReminder = known !== undefined && now - known.sent_at >= remindAfter;
    if (known && (isQuiet || !(isNew || isReminder))) {
      next[cause] = known;
      continue;
    }
    notices.push({ cause, recovered: false, problems: current, since });
    next[cause] = { since, sent_at: now, keys: current.map(({ key }) => key) };
  }
  return { notices, open: next };
}

const shownProblems = 20;

/** The message in words: a subject, and a text with a link to the page that shows more. */
export function wordsOf(
  { cause, recovered, problems, since }: Notice,
  baseUrl: string,
): { subject: string; body: string } {
  const title = titles[cause];
  const began = new Date(since).toISOString();
  if (recovered) return { subject: `Recovered: ${title}`, body: `This is over; it began at ${began}.\n\n${baseUrl}/` };
  const lines = problems.slice(0, shownProblems).map(({ text }) => `- ${text}`);
  const more = problems.length > shownProblems ? [`- and ${problems.length - shownProblems} more`] : [];
  const path = problems[0]?.path ?? '/';
  return { subject: title, body: `${[...lines, ...more].join('\n')}\n\nSince ${began}. ${baseUrl}${path}` };
}
