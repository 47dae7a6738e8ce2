import { ServiceError } from '@order-automation/contracts';
import { deeperThan, maxJsonDepth } from '@order-automation/service';
import { mayHoldHalfPair, wellFormed } from '@order-automation/store';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** JSON from outside: UTF-8 without errors, at most 64 levels deep; half a surrogate pair becomes U+FFFD. Throws 400 `rest_invalid_json`. */
export function parseJson(bytes: Uint8Array): unknown {
  if (deeperThan(bytes, maxJsonDepth)) throw invalidJson(`The body nests deeper than ${maxJsonDepth} levels.`);
  const text = decoded(bytes);
  try {
    const value: unknown = JSON.parse(text);
    return mayHoldHalfPair(text) ? wellFormed(value) : value;
  } catch (error) {
    const at = placeIn(text, (error as SyntaxError).message);
    throw invalidJson(at === null ? 'The body is not valid JSON.' : `The body is not valid JSON: ${at}.`);
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidJson('The body is not valid JSON: it is not in UTF-8.');
  }
}

/** Characters of a text that is searched for the place where it stops being JSON. */
const maxSearched = 65_536;

/** The first character that no JSON text can have there, by halving: a beginning of JSON fails at its end alone. */
function firstBadCharacter(text: string): number | null {
  if (text.length > maxSearched) return null;
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (beginsJson(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

function beginsJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    const position = /at position (\d+)/.exec(message)?.[1];
    return /^(Unexpected end|Unterminated)/.test(message) || Number(position ?? -1) >= text.length;
  }
}

/** Where the text stops being JSON, from what the parser says. Nothing of the text itself is repeated. */
function placeIn(text: string, message: string): string | null {
  if (message.startsWith('Unexpected end')) return 'it ends too early';
  const position = /at position (\d+)/.exec(message)?.[1];
  // Of a short text the parser quotes the text instead of a position.
  const at = position === undefined ? firstBadCharacter(text) : Number(position);
  if (at === null) return null;
  if (at >= text.length) return 'it ends too early';
  const before = text.slice(0, at);
  return `line ${before.split('\n').length}, column ${at - before.lastIndexOf('\n')}`;
}

function invalidJson(message: string): ServiceError {
  return new ServiceError(400, 'rest_invalid_json', message);
}
