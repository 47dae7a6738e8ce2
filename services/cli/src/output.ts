/** Where a command prints; a program is run by tests with streams of their own. */
export type Terminal = {
  readonly write: (text: string) => void;
  readonly warn: (text: string) => void;
  /** Whether a person reads it: tables are fitted to the width, and questions may be asked. */
  readonly isInteractive: boolean;
  /** Columns. */
  readonly width: number;
};

/** By title: a field, shown as it is, or what is made of a row. */
export type Columns<Row> = Readonly<Record<string, (keyof Row & string) | ((row: Row) => unknown)>>;

const gap = '  ';

/** Rows under titles, as wide as they need; to fit the width of a terminal, the column with the flexible title is cut. */
export function table<Row>(
  rows: readonly Row[],
  columns: Columns<Row>,
  width = Number.POSITIVE_INFINITY,
  flexible?: string,
): string {
  const titles = Object.keys(columns);
  const cells = (row: Row) =>
    Object.values(columns).map((value) => cell(typeof value === 'function' ? value(row) : row[value]));
  const lines = [titles, ...rows.map(cells)];
  const widths = titles.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  const excess = widths.reduce((sum, each) => sum + each, gap.length * (titles.length - 1)) - width;
  const cuttable = titles.indexOf(flexible ?? '');
  if (excess > 0 && cuttable >= 0) widths[cuttable] = Math.max(20, (widths[cuttable] ?? 0) - excess);
  const print = (line: readonly string[]): string =>
    line
      .map((text, index) => cut(text, widths[index] ?? 0).padEnd(widths[index] ?? 0))
      .join(gap)
      .trimEnd();
  return `${lines.map(print).join('\n')}\n`;
}

const cut = (text: string, width: number): string => (text.length > width ? `${text.slice(0, width - 1)}…` : text);

/** One line of plain text: whatever came from outside cannot move the cursor or colour the terminal. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return plain(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** Control characters are replaced: terminals act on them. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be found
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}

/** `key: value` lines, the values below each other; pairs where a key stands more than once. */
export function facts(of: Readonly<Record<string, unknown>> | readonly (readonly [string, unknown])[]): string {
  const pairs = Array.isArray(of) ? (of as readonly [string, unknown][]) : Object.entries(of);
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `${`${name}:`.padEnd(width + 2)}${cell(value)}\n`).join('');
}

/** `2026-11-23T10:15:00.123Z` as `2026-11-23 10:15:00`. */
export const shortTime = (time: string | null | undefined): string =>
  time ? time.replace('T', ' ').replace(/(\.\d+)?Z$/, '') : '-';

type Step = { readonly timestamp: string; readonly status: string; readonly summary: string };

export const stepLines = (steps: readonly Step[]): string =>
  steps.map(({ timestamp, ...step }) => `  ${shortTime(timestamp)}${resultLine(step)}`).join('');

export const resultLine = ({ status, summary }: Omit<Step, 'timestamp'>): string =>
  `  ${status.padEnd(8)} ${plain(summary)}\n`;

/** "1 event", "2 events". */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;
