import { type LiveSecret, nameOf } from './connection';
import { authenticityRefusal, ofKnownSender, type Refusal } from './refusal';

/** The refusal of what a secret signed whose time is over. */
export function signedWithEnded(secret: LiveSecret): Refusal {
  const at = new Date(secret.expiresAt ?? 0).toISOString();
  const end = secret.removed ? `was removed on ${at}` : `ended on ${at}`;
  return ofKnownSender(authenticityRefusal('secret_expired', `It was signed with ${nameOf(secret)} that ${end}.`));
}

/** The refusal of a body that is not the one that was signed; `secret` is the one that signed it. */
export function changedBody({ text }: Pick<ChangedBody, 'text'>, secret: LiveSecret): Refusal {
  return ofKnownSender(authenticityRefusal('body_changed', `${text} It was signed with ${nameOf(secret)}.`));
}

/** A body as the sender may have signed it, and what happened to it if it was that one. */
export type ChangedBody = { readonly body: Buffer; readonly text: string };

/** Larger bodies are not worth what the diagnosis costs, and neither are further connections. */
const longestBody = 64 * 1024;
export const maxOtherConnections = 3;

/** Whether the reason of a refusal is looked for. */
export function isWorthDiagnosis(body: Buffer, { withinRate }: { readonly withinRate: boolean }): boolean {
  return withinRate && body.length <= longestBody;
}

const somebody = 'Something between the sender and us (a proxy, a plugin, a framework) changes bodies.';

/**
 * What becomes of a body on its way, undone, for the diagnosis of a signature that does not match. Nothing that only matches one of these
 * is ever accepted.
 */
export function changedBodies(body: Buffer): ChangedBody[] {
  const text = body.toString('utf8');
  const changed: ChangedBody[] = [];
  const add = (candidate: string, what: string): void => {
    if (candidate !== text)
      changed.push({ body: Buffer.from(candidate), text: `The signature fits the body ${what}. ${somebody}` });
  };
  add(text.replace(/^\ufeff/, ''), 'without its byte order mark');
  add(text.trim(), 'after trimming white space');
  add(`${text}\n`, 'with a line break at its end');
  add(text.replaceAll('\r\n', '\n'), 'with other line breaks');
  add(serialised(text) ?? text, 'when it is serialised again without white space');
  return changed;
}

function serialised(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}
