import { createHash } from 'node:crypto';
import { checkpointOf, noteOf, originOf, verifierKeysOf } from '../../audit/src/chain/heads';
import type { ChainKeys } from '../../audit/src/chain/keys';
import { headOf } from '../../audit/src/chain/seals';

const sha256 = (line: string): string => createHash('sha256').update(line).digest('hex');

/** What somebody does to a file. Places are fractions of it, from 0 up to 1. */
type FileTamper = (file: Buffer, here: number, there: number, byte: number) => Buffer;

const linesOf = (file: Buffer): string[] => file.toString().split('\n').slice(0, -1);
const fileOf = (lines: readonly string[]): Buffer => Buffer.from(lines.map((line) => `${line}\n`).join(''));
const place = (fraction: number, length: number): number => Math.floor(fraction * length);

const spliced = (file: Buffer, at: number, removed: number, ...added: number[]): Buffer =>
  Buffer.concat([file.subarray(0, at), Buffer.from(added), file.subarray(at + removed)]);

/** Changes one of the lines that have a field. */
function edited(file: Buffer, here: number, name: string, change: (value: never) => unknown): Buffer {
  const lines = linesOf(file);
  const having = lines.flatMap((line, index) => (name in (JSON.parse(line) as object) ? [index] : []));
  const index = having[place(here, having.length)] ?? 0;
  const fields = JSON.parse(lines[index] ?? '') as Record<string, unknown>;
  lines[index] = JSON.stringify({ ...fields, [name]: change(fields[name] as never) });
  return fileOf(lines);
}

/** The same base64 or hex, but for one character. */
const other = (text: string): string => (text.startsWith('A') ? `B${text.slice(1)}` : `A${text.slice(1)}`);
const more = (value: number): number => value + 1;

export const fileTampers: Record<string, FileTamper> = {
  'a byte changed': (file, here, _, byte) => {
    const at = place(here, file.length);
    return spliced(file, at, 1, (file[at] ?? 0) ^ byte);
  },
  'a byte removed': (file, here) => spliced(file, place(here, file.length), 1),
  'a byte inserted': (file, here, _, byte) => spliced(file, place(here, file.length), 0, byte),
  'cut off': (file, here) => file.subarray(0, place(here, file.length)),
  'cut off after a line': (file, here) => {
    const lines = linesOf(file);
    return fileOf(lines.slice(0, place(here, lines.length)));
  },
  'something behind the end': (file, _here, _there, byte) => Buffer.concat([file, Buffer.from([byte])]),
  'a line dropped': (file, here) => {
    const lines = linesOf(file);
    return fileOf(lines.toSpliced(place(here, lines.length), 1));
  },
  'a line twice': (file, here) => {
    const lines = linesOf(file);
    const at = place(here, lines.length);
    return fileOf(lines.toSpliced(at, 0, lines[at] ?? ''));
  },
  'a line elsewhere': (file, here, there) => {
    const lines = linesOf(file);
    const [moved = ''] = lines.splice(place(here, lines.length), 1);
    return fileOf(lines.toSpliced(place(there, lines.length), 0, moved));
  },
  'two lines in each other’s place': (file, here, there) => {
    const lines = linesOf(file);
    const [one, two] = [place(here, lines.length), place(there, lines.length)];
    return fileOf(lines.with(one, lines[two] ?? '').with(two, lines[one] ?? ''));
  },
  'an entry inserted': (file, here) => {
    const lines = linesOf(file);
    const at = place(here, lines.length);
    return fileOf(
      lines.toSpliced(at, 0, JSON.stringify({ id: at, summary: 'It was paid.', salt: 'AAAAAAAAAAAAAAAAAAAAAA' })),
    );
  },
  'an entry that is said to be deleted': (file, here) => {
    const lines = linesOf(file);
    const entries = lines.flatMap((line, index) => ('salt' in (JSON.parse(line) as object) ? [index] : []));
    const at = entries[place(here, entries.length)] ?? 0;
    const { id } = JSON.parse(lines[at] ?? '') as { id: number };
    return fileOf(lines.with(at, JSON.stringify({ deleted: id, digest: sha256(lines[at] ?? ''), by: 'proc_1' })));
  },
  'another summary': (file, here) => edited(file, here, 'summary', (text: string) => `${text}.`),
  'another status': (file, here) => edited(file, here, 'status', () => 'skipped'),
  'another salt': (file, here) => edited(file, here, 'salt', other),
  'another digest': (file, here) => edited(file, here, 'digest', other),
  'another deletion': (file, here) => edited(file, here, 'by', () => 'proc_2'),
  'another head': (file, here) => edited(file, here, 'head', other),
  'another time of a seal': (file, here) => edited(file, here, 'at', () => '2026-01-01T00:00:00.000Z'),
  'another count': (file, here) => edited(file, here, 'entries', more),
  'another end of a seal': (file, here) => edited(file, here, 'below_id', more),
  'another number of a seal': (file, here) => edited(file, here, 'seal', more),
  'another beginning': (file) => edited(file, 0, 'head_before', other),
  'another range': (file) => edited(file, 0, 'date_from', () => '2026-01-01T00:00:00.000Z'),
  'another count before': (file) => edited(file, 0, 'entries_before', more),
  'another signature of the head': (file) =>
    edited(file, 0, 'checkpoint', (text: string) => text.replace(/A|B|C|D/, 'x')),
  'another signature of the file': (file) => edited(file, 0, 'lines', (text: string) => text.replace(/A|B|C|D/, 'x')),
};

/** An entry of a file: its lines, a mark of erasure first where there is one. */
type Entry = { readonly id: number; readonly lines: readonly string[] };
type InsiderTamper = (entries: readonly Entry[], at: number) => readonly Entry[];

const withId = ({ lines }: Entry, id: number): Entry => ({
  id,
  lines: lines.map((line) => line.replace(/^\{"(id|deleted|erased)":\d+/, `{"$1":${id}`)),
});

export const insiderTampers: Record<string, InsiderTamper> = {
  'an entry edited': (entries, at) => {
    const { id, lines } = entries[at] as Entry;
    const last = JSON.parse(lines.at(-1) ?? '') as object;
    return entries.with(at, { id, lines: [...lines.slice(0, -1), JSON.stringify({ ...last, note: 1 })].map(asEntry) });
  },
  'an entry dropped': (entries, at) => entries.toSpliced(at, 1),
  'two entries in each other’s place': (entries, at) => {
    const next = at === 0 ? 1 : at - 1;
    const [one, two] = [entries[at] as Entry, entries[next] as Entry];
    return entries.with(at, withId(two, one.id)).with(next, withId(one, two.id));
  },
  'an entry that never was': (entries, at) => {
    const { id } = entries[at] as Entry;
    return entries.with(at, {
      id,
      lines: [JSON.stringify({ id, summary: 'It was paid.', salt: 'AAAAAAAAAAAAAAAAAAAAAA' })],
    });
  },
  'an entry deleted, with another digest': (entries, at) => {
    const { id } = entries[at] as Entry;
    return entries.with(at, { id, lines: [JSON.stringify({ deleted: id, digest: sha256('x'), by: 'proc_1' })] });
  },
};

/** A deletion with a further field is still one: its digest changes instead. */
const asEntry = (line: string): string => line.replace(/("digest":")./, '$1x');

type Seal = { seal: number; from_id: number; below_id: number; entries: number; at: string; head: string };
type Header = { entries: number; entries_before: number; head_before: string };

/** The file as the installation would write it if its log had these entries, with whatever keys it has. */
export function remade(file: string, change: (entries: readonly Entry[]) => readonly Entry[], keys: ChainKeys): Buffer {
  const [first = '', ...lines] = linesOf(Buffer.from(file));
  const parsed = lines.slice(0, -1).map((line) => ({ line, fields: JSON.parse(line) as Record<string, unknown> }));
  const entries: Entry[] = [];
  for (let at = 0; at < parsed.length; at += 1) {
    const { line, fields } = parsed[at] as (typeof parsed)[number];
    const id = Number(fields.id ?? fields.deleted ?? fields.erased);
    if ('seal' in fields) continue;
    if ('erased' in fields) entries.push({ id, lines: [line, parsed[++at]?.line ?? ''] });
    else entries.push({ id, lines: [line] });
  }
  const changed = change(entries);
  const header = JSON.parse(first) as Header;
  const body: string[] = [];
  let [head, count] = [header.head_before, header.entries_before];
  for (const { fields } of parsed) {
    if (!('seal' in fields)) continue;
    const { seal: _id, from_id: from, below_id: below, at } = fields as Seal;
    const inside = changed.filter(({ id }) => id >= from && id < below);
    count += inside.length;
    head = headOf(head, { _id, from, below, entries: count, at }, inside.map(sealedOf));
    body.push(...inside.flatMap((entry) => entry.lines), JSON.stringify({ ...fields, entries: count, head }));
  }
  const known = { origin: originOf(keys), verifier_keys: verifierKeysOf(keys), entries: count - header.entries_before };
  const before = fileOf([JSON.stringify({ ...header, ...known }), ...body]);
  const hash = createHash('sha256').update(before).digest('base64');
  const checkpoint = checkpointOf({ entries: count, head }, keys);
  const signed = noteOf(`${originOf(keys)}/export`, body.length + 1, hash, keys);
  return Buffer.concat([before, fileOf([JSON.stringify({ checkpoint, lines: signed })])]);
}

function sealedOf({ id, lines }: Entry) {
  const line = lines.at(-1) ?? '';
  const { digest } = JSON.parse(line) as { digest?: string };
  return { _id: id, digest: digest ?? sha256(line) };
}
