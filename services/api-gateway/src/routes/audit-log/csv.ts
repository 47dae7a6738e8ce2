/** Lines of CSV (RFC 4180). Text that a spreadsheet would run as a formula begins with an apostrophe. */

const field = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  const text = String(value);
  const inert = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
};

export const csvHeader = (columns: readonly string[]): string => `${columns.join(',')}\r\n`;

export const csvLine = <Row extends object>(row: Row, columns: readonly (keyof Row)[]): string =>
  `${columns.map((column) => field(row[column])).join(',')}\r\n`;
