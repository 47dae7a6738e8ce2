import { ServiceError } from '@order-automation/contracts';
import { deeperThan, maxJsonDepth } from '@order-automation/service';
import { mayHoldHalfPair, wellFormed } from '@order-automation/store';
import { type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** JSON from outside: UTF-8 without errors, at most 64 levels deep; half a surrogate pair becomes U+FFFD. Throws 400 `rest_invalid_json`. */
export function parseJson(bytes: Uint8Array): unknown {
  if (deeperThan(bytes, maxJsonDepth)) throw invalidJson(`The body nests deeper than ${maxJsonDepth} levels.`);
  const text = decoded(bytes);
  try {
    const value: unknown = JSON.parse(text);
    return mayHoldHalfPair(text) ? wellFormed(value) : value;
  } catch {
    // The first error ends it: what follows may nest as deep as it likes.
    visit(text, { onError: refuse(text) }, { disallowComments: true });
    throw invalidJson('The body is not valid JSON.');
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidJson('The body is not valid JSON: it is not in UTF-8.');
  }
}

/** Says where the text stops being JSON. Nothing of the text itself is repeated. */
const refuse =
  (text: string): NonNullable<JSONVisitor['onError']> =>
  (error, offset, length, line, column) => {
    const isOpen = printParseErrorCode(error) === 'UnexpectedEndOfString' && offset + length >= text.length;
    const isCut = isOpen || offset >= text.length;
    const place = isCut ? 'it ends too early' : `line ${line + 1}, column ${column + 1}`;
    throw invalidJson(`The body is not valid JSON: ${place}.`);
  };

const invalidJson = (message: string): ServiceError => new ServiceError(400, 'rest_invalid_json', message);
