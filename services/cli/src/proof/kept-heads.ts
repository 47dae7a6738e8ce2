import { isSignedBy, type Note, parseKey, parseNote, type VerifierKey } from './note';

/** Heads that somebody kept away from the installation, and the keys that signed them. */
export type KeptHeads = { readonly keys: readonly VerifierKey[]; readonly notes: readonly Note[] };

type HeadsAnswer = { readonly verifier_key: string; readonly heads: readonly { readonly checkpoint: string }[] };

/**
 * Reads what `orderctl log heads` printed, as text or as JSON, whatever stands around it and however often it was appended. Throws an Error that
 * says what is wrong where a head is not signed by a key that stands there too.
 */
export function parseHeads(text: string): KeptHeads {
  const plain = plainText(text);
  const keyTexts = new Set(plain.match(/^\S+\+[0-9a-f]{8}\+[A-Za-z0-9+/=]+$/gm) ?? []);
  const keys = [...keyTexts].flatMap((one) => parseKey(one) ?? []);
  if (keys.length === 0) throw new Error('There is no key: the heads need the line that checks their signatures.');
  const noteTexts = plain.match(/^[^\n]+\n\d+\n[A-Za-z0-9+/]{43}=\n\n(?:— \S+ \S+\n)+/gm) ?? [];
  const notes = noteTexts.flatMap((one) => parseNote(one) ?? []);
  const signed = plain.split('\n').filter((line) => keys.some(({ name }) => line.startsWith(`— ${name}`)));
  if (signed.length > notes.flatMap(({ signatures }) => signatures).length)
    throw new Error('A head is not as it was printed: its lines were cut, joined or edited.');
  const forged = notes.find((note) => !keys.some((key) => isSignedBy(note, key)));
  if (forged) throw new Error(`The head over ${forged.count} entries is not signed by a key of the heads.`);
  return { keys, notes: [...new Map(notes.map((note) => [`${note.count} ${note.hash}`, note])).values()] };
}

function plainText(text: string): string {
  try {
    return textOf(JSON.parse(text) as HeadsAnswer);
  } catch {
    return text.replaceAll('\r\n', '\n');
  }
}

/** The answer of `GET /audit-log/heads` as text: the key, and each checkpoint. */
export const textOf = ({ verifier_key, heads }: HeadsAnswer): string =>
  [`${verifier_key}\n`, ...heads.map(({ checkpoint }) => checkpoint)].join('\n');
