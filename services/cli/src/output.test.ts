import { type Columns, cell, counted, facts, plain, shortTime, table } from './output';

type Row = { readonly id: number; readonly text: string };
const columns: Columns<Row> = { ID: ({ id }) => id, TEXT: 'text' };

test('columns are as wide as their widest value, and lines end without spaces', () => {
  const rows = [
    { id: 1, text: 'short' },
    { id: 1042, text: '' },
  ];
  expect(table(rows, columns)).toBe('ID    TEXT\n1     short\n1042\n');
});

test('the flexible column is cut to fit the terminal', () => {
  const printed = table([{ id: 7, text: 'x'.repeat(100) }], columns, 40, 'TEXT');
  expect(printed.split('\n')[1]).toBe(`7   ${'x'.repeat(35)}…`);
});

test('what came from outside cannot move the cursor', () => {
  expect(plain('a\u001b[2Jb\nc\u009bd')).toBe('a [2Jb c d');
  expect(facts({ name: 'x\r\ny' })).toBe('name: x y\n');
});

test('values as a person reads them', () => {
  expect([cell(null), cell(true), cell({ a: 1 })]).toEqual(['-', 'yes', '{"a":1}']);
  expect(shortTime('2026-11-23T10:15:00.123Z')).toBe('2026-11-23 10:15:00');
  expect([shortTime(null), counted(1, 'event'), counted(2, 'event')]).toEqual(['-', '1 event', '2 events']);
});
