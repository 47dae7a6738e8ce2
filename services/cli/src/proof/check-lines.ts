import { createHash } from 'node:crypto';
import type { State } from './export-proof';
import { type Fields, type Line, NotProved, numberField, textField } from './lines';
import { isSignedBy, parseKey, parseNote, type VerifierKey } from './note';

const formats = { export: 'order-automation/audit-export/1', receipt: 'order-automation/audit-receipt/1' } as const;
/** Deleted and erased entries that are listed; the rest are counted. */
const maxListed = 1_000;

export function checkFirstLine(fields: Fields, state: State): void {
  const { heads } = state;
  const number = (name: string): number => numberField(fields, name, 1);
  if (fields.format !== (state.receipt ? formats.receipt : formats.export))
    throw new NotProved(
      1,
      state.receipt
        ? 'This is no receipt: orderctl log receipt makes one.'
        : 'This is no export with proof: orderctl log export --proof makes one.',
    );
  if (state.receipt) state.receipt.process_id = textField(fields, 'process_id', 1);
  const texts = Array.isArray(fields.verifier_keys) ? fields.verifier_keys : [];
  const keys = texts.map((text) => parseKey(String(text)));
  const origin = textField(fields, 'origin', 1);
  if (!keys.every((key) => key !== undefined) || keys[0]?.name !== origin)
    throw new NotProved(1, 'The keys of the file are not valid.');
  if (heads && !heads.keys.some((kept) => keys.some((key) => key.text === kept.text)))
    throw new NotProved(
      1,
      `The file is signed by ${origin}, the kept heads by ${heads.keys[0]?.name}: another installation, or another SECRET_KEY.`,
    );
  const entries_before = number('entries_before');
  state.header = {
    origin,
    keys,
    exported_at: textField(fields, 'exported_at', 1),
    last_seal: number('last_seal'),
    below_id: number('below_id'),
    entries: number('entries'),
    entries_before,
    from_the_beginning: number('first_seal') === number('log_begins_with_seal'),
  };
  const head = textField(fields, 'head_before', 1);
  state.link = { seal: number('first_seal') - 1, below: number('from_id'), entries: entries_before, head };
  if (entries_before > 0) compare(state, 1);
}

/** Every line between the first and the last. */
export function checkLine(line: Line, fields: Fields, state: State): void {
  const { number } = line;
  const { announced } = state;
  state.announced = undefined;
  if ('altered' in fields)
    throw new NotProved(
      number,
      `The installation says that entry ${fields.altered} was altered after it was recorded.`,
    );
  if ('erased' in fields) {
    state.announced = list('erased', fields, number, state);
  } else if ('seal' in fields) {
    takeSeal(fields, number, state);
    compare(state, number);
  } else if (state.receipt && 'other' in fields) {
    addEntry(numberField(fields, 'other', number), textField(fields, 'digest', number), number, state);
  } else if ('deleted' in fields) {
    addEntry(numberField(fields, 'deleted', number), textField(fields, 'digest', number), number, state);
    list('deleted', fields, number, state);
  } else {
    const id = numberField(fields, 'id', number);
    if (announced !== undefined && announced !== id) throw new NotProved(number, `Entry ${announced} is missing.`);
    addEntry(id, createHash('sha256').update(line.bytes).digest('hex'), number, state);
    if (!state.receipt) return;
    if (fields.process_id !== state.receipt.process_id)
      throw new NotProved(number, `Entry ${id} is of another process.`);
    state.receipt.entries.push(fields);
  }
}

/** Counts a deleted or an erased entry; gives its id. */
function list(kind: 'deleted' | 'erased', fields: Fields, number: number, { found }: State): number {
  const [id, by] = [numberField(fields, kind, number), textField(fields, 'by', number)];
  found[kind] += 1;
  if (found[`${kind}_entries`].length < maxListed) found[`${kind}_entries`].push({ id, by });
  return id;
}

function addEntry(id: number, digest: string, number: number, { found, open }: State): void {
  if (id <= (found.last_id ?? -1)) throw new NotProved(number, `Entry ${id} is not in its place.`);
  found.first_id ??= id;
  found.last_id = id;
  open.push([id, digest]);
}

function takeSeal(fields: Fields, number: number, state: State): void {
  const { link, open } = state;
  const numberOf = (name: string): number => numberField(fields, name, number);
  const [seal, entries] = [numberOf('seal'), numberOf('entries')];
  const [from, below] = [numberOf('from_id'), numberOf('below_id')];
  const at = textField(fields, 'at', number);
  const isNext = seal === link.seal + 1 && from === link.below && entries === link.entries + open.length;
  const isInside = open.every(([id]) => id >= from && id < below);
  const text = JSON.stringify(['seal', link.head, seal, from, below, entries, at, open]);
  const head = createHash('sha256').update(text).digest('base64');
  if (!isNext || !isInside || head !== fields.head)
    throw new NotProved(
      number,
      `Seal ${seal} does not fit the entries before it or the seal before that: something was edited, removed, inserted or moved.`,
    );
  state.link = { seal, below, entries, head };
  state.open = [];
  state.found.seals += 1;
}

/** Compares the head that the chain has come to with the kept one over as many entries. */
function compare({ link, fitting, heads }: State, number: number): void {
  for (const note of heads?.notes ?? []) {
    if (note.count !== link.entries) continue;
    if (note.hash !== link.head)
      throw new NotProved(
        number,
        `The kept head over ${note.count} entries is another: the log was rewritten after it was kept.`,
      );
    fitting.push(note.count);
  }
}

export function checkLastLine(line: Line, fields: Fields, state: State, sha256: string): void {
  const { number } = line;
  const { header, link, open, heads } = state;
  if (!header || open.length > 0 || link.seal !== header.last_seal || link.below !== header.below_id)
    throw new NotProved(number, 'Seals are missing.');
  if (link.entries - header.entries_before !== header.entries) throw new NotProved(number, 'Entries are missing.');
  const [checkpoint, signed] = [textField(fields, 'checkpoint', number), textField(fields, 'lines', number)];
  if (JSON.stringify({ checkpoint, lines: signed }) !== line.bytes.toString('utf8'))
    throw new NotProved(number, 'The last line was edited.');
  const { origin, keys } = header;
  if (!isNoteOf(checkpoint, { name: origin, count: link.entries, hash: link.head }, keys))
    throw new NotProved(number, 'The signature of the last head is not valid.');
  if (!isNoteOf(signed, { name: `${origin}/export`, count: number - 1, hash: sha256 }, keys))
    throw new NotProved(number, 'The signature of the file is not valid: a line was edited.');
  const lost = heads?.notes.find(
    ({ count }) => count > header.entries_before && count <= link.entries && !state.fitting.includes(count),
  );
  if (lost)
    throw new NotProved(
      number,
      `No seal ends where the kept head over ${lost.count} entries does: the log was rewritten after it was kept.`,
    );
  state.isComplete = true;
}

/** Whether a note says this, and has one valid signature of each key and no other. */
function isNoteOf(
  text: string,
  wanted: { readonly name: string; readonly count: number; readonly hash: string },
  keys: readonly VerifierKey[],
): boolean {
  const note = parseNote(text);
  return (
    note !== undefined &&
    note.name === wanted.name &&
    note.count === wanted.count &&
    note.hash === wanted.hash &&
    note.signatures.length === keys.length &&
    keys.every((key, at) => isSignedBy({ ...note, signatures: note.signatures.slice(at, at + 1) }, key))
  );
}
