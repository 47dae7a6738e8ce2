import { UnsupportedQueryError } from '../errors';
import type { Index, WordIndex } from '../port';
import type { JsonObject } from './codec';
import { plainSql } from './compression';
import { jsonPath, safeName, segmentsOf } from './path';

/**
 * A word index is a full-text table (FTS5) beside the table of the documents. An insert writes both; triggers follow updates and deletes. It has the words and
 * the rows they stand in, nothing else. FTS5 splits text by rules of its own, so each word is written in letters and digits that it does not split.
 */
export type Words = { readonly path: string; readonly table: string; readonly insertSql: string };

export const isWordIndex = (index: Index): index is WordIndex => 'words' in index;

export function wordsTable(collection: string, index: WordIndex): Words {
  const table = `${safeName(collection)}__${safeName(index.name)}`;
  return { path: index.words, table, insertSql: `INSERT INTO ${table}(rowid, words) VALUES(?,?)` };
}

/** The statements that make the index and fill it. */
export function wordIndexSql({ path, table }: Words, collection: string): string[] {
  return [
    `CREATE VIRTUAL TABLE ${table} USING fts5(words, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '_'")`,
    `${addSql(table, path, collection)} FROM ${collection} WHERE ${holdsSql(path, collection)}`,
  ];
}

/** The triggers by their names. Any program that has `plain` (compression.ts) may write to the file. */
export function wordTriggers({ path, table }: Words, collection: string): { name: string; sql: string }[] {
  const at = jsonPath(segmentsOf(path));
  const remove = `DELETE FROM ${table} WHERE rowid = old.seq`;
  const add = `${addSql(table, path, 'new')} WHERE ${holdsSql(path, 'new')}`;
  const changed = `${plainSql('old.doc')} -> ${at} IS NOT ${plainSql('new.doc')} -> ${at}`;
  const bodies = {
    delete: `AFTER DELETE ON ${collection} BEGIN ${remove}; END`,
    update: `AFTER UPDATE OF doc ON ${collection} WHEN ${changed} BEGIN ${remove}; ${add}; END`,
  };
  return Object.entries(bodies).map(([change, body]) => {
    const name = `${table}__${change}`;
    return { name, sql: `CREATE TRIGGER ${name} ${body}` };
  });
}

/** `textOf` in SQL. */
function addSql(table: string, path: string, row: string): string {
  const token = "iif(value = '' OR value GLOB '*[^a-z0-9]*', '_' || lower(hex(value)), value)";
  const at = jsonPath(segmentsOf(path));
  return `INSERT INTO ${table}(rowid, words) SELECT ${row}.seq, (SELECT group_concat(${token}, ' ') FROM json_each(${plainSql(`${row}.doc`)}, ${at}))`;
}

const holdsSql = (path: string, row: string): string =>
  `${plainSql(`${row}.doc`)} -> ${jsonPath(segmentsOf(path))} IS NOT NULL`;

/** The text that the full-text table indexes for the value at the path of the index; empty where there is none. */
export function textOf(words: unknown): string {
  if (words === undefined) return '';
  if (!Array.isArray(words) || words.some((word) => typeof word !== 'string'))
    throw new UnsupportedQueryError('A word index wants an array of texts');
  return words.map(token).join(' ');
}

const isPlain = (word: string): boolean => /^[a-z0-9]+$/.test(word);
const encoded = (word: string): string => `_${Buffer.from(word).toString('hex')}`;
const token = (word: string): string => (isPlain(word) ? word : encoded(word));

/** What a filter asks of a word index, as FTS5 has it. */
export type WordsAsked = { readonly table: string; readonly path: string; readonly match: string };

/** Undefined when the condition is about something else. */
function askedOf(path: string, condition: unknown, indexes: readonly Words[]): WordsAsked | undefined {
  if (typeof condition !== 'object' || condition === null) return undefined;
  const index = indexes.find((one) => one.path === path);
  const isAboutWords =
    '$all' in condition || (index !== undefined && ('$in' in condition || '$elemMatch' in condition));
  if (!isAboutWords) return undefined;
  const [[operator, operand] = [], ...others] = Object.entries(condition);
  const match =
    operator === '$elemMatch' ? beginningMatch(operand) : listMatch(operand, operator === '$in' ? ' OR ' : ' ');
  if (index === undefined || match === undefined || others.length > 0)
    throw new UnsupportedQueryError(
      `Filter on ${path}: $all and $in want a list of words, $elemMatch a beginning, each alone, and a word index on the path`,
    );
  return { table: index.table, path, match };
}

function listMatch(words: unknown, by: string): string | undefined {
  const isList = Array.isArray(words) && words.length > 0 && words.every((word) => typeof word === 'string');
  return isList ? words.map((word) => `"${token(word)}"`).join(by) : undefined;
}

/** A beginning of letters and digits may go on with others, which are written otherwise. */
function beginningMatch(range: unknown): string | undefined {
  const { $gte: beginning, $lt } = (range ?? {}) as { $gte?: unknown; $lt?: unknown };
  if (typeof beginning !== 'string' || beginning === '' || $lt !== `${beginning}\uffff`) return undefined;
  const tokens = isPlain(beginning) ? [beginning, encoded(beginning)] : [encoded(beginning)];
  return tokens.map((text) => `"${text}"*`).join(' OR ');
}

/** What the filter asks of word indexes, and what is left of it. */
export function splitWords(filter: JsonObject, indexes: readonly Words[]): { asked: WordsAsked[]; rest: JsonObject } {
  const asked = Object.entries(filter).flatMap(([path, condition]) => askedOf(path, condition, indexes) ?? []);
  if (asked.length === 0) return { asked, rest: filter };
  const rest = Object.entries(filter).filter(([path]) => !asked.some((one) => one.path === path));
  return { asked, rest: Object.fromEntries(rest) };
}
