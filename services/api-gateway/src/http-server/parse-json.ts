import { ServiceError } from '@order-automation/contracts';
import { deeperThan, maxJsonDepth } from '@order-automation/service';
import { mayHoldHalfPair, wellFormed } from '@order-automation/store';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** JSON from outside: UTF-8 without errors, at most 64 levels deep; half a surrogate pair becomes U+FFFD. Throws 400 `rest_invalid_json`. */
export function parseJson(bytes: Uint8Array): unknown {
  if (deeperThan(bytes, maxJsonDepth)) throw invalidJson(`The body nests deeper than ${maxJsonDepth} levels.`);
  const text = decoded(bytes);
  try {
    const value: unknown = JSON.parse(text);
    return mayHoldHalfPair(text) ? wellFormed(value) : value;
  } catch {
    const at = placeIn(text);
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

/** Where the text stops being JSON. Nothing of the text itself is repeated. */
function placeIn(text: string): string | null {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  const [first] = errors;
  if (first === undefined) return null;
  const { offset: at, error } = first;
  if (at >= text.length || printParseErrorCode(error) === 'UnexpectedEndOfString') return 'it ends too early';
  const before = text.slice(0, at);
  return `line ${before.split('\n').length}, column ${at - before.lastIndexOf('\n')}`;
}

function invalidJson(message: string): ServiceError {
  return new ServiceError(400, 'rest_invalid_json', message);
}
