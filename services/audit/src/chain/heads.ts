import { createHash } from 'node:crypto';
import type { RequestOutput } from '@order-automation/contracts';
import type { Log } from '../log';
import type { ChainKeys } from './keys';
import type { SealDocument } from './seals';

const ed25519 = 1;

/** The name of this log in its checkpoints: two installations never share one. */
const originOf = ({ publicKey }: ChainKeys): string =>
  `order-automation/audit/${createHash('sha256').update(publicKey).digest('hex').slice(0, 16)}`;

/** The key id of a signed note: the first four bytes of a hash of name, algorithm and public key (C2SP signed-note). */
function keyIdOf(origin: string, publicKey: Buffer): Buffer {
  return createHash('sha256')
    .update(`${origin}\n`)
    .update(Buffer.from([ed25519]))
    .update(publicKey)
    .digest()
    .subarray(0, 4);
}

/** A head in the format of C2SP tlog-checkpoint: origin, entries, head, and a signature over these lines. */
export function checkpointOf({ entries, head }: Pick<SealDocument, 'entries' | 'head'>, keys: ChainKeys): string {
  const origin = originOf(keys);
  const text = `${origin}\n${entries}\n${head}\n`;
  const signature = Buffer.concat([keyIdOf(origin, keys.publicKey), keys.sign(text)]).toString('base64');
  return `${text}\n— ${origin} ${signature}\n`;
}

/** What a witness needs to check checkpoints: name, key id and public key, as C2SP signed-note writes them. */
export function verifierKeyOf(keys: ChainKeys): string {
  const origin = originOf(keys);
  const key = Buffer.concat([Buffer.from([ed25519]), keys.publicKey]).toString('base64');
  return `${origin}+${keyIdOf(origin, keys.publicKey).toString('hex')}+${key}`;
}

/** Signed heads, the latest first: one that is kept elsewhere shows that the log was not cut or rewritten since. */
export async function headsOf(limit: number, { seals, keys }: Log): Promise<RequestOutput<'audit.head.list.v1'>> {
  const latest = await seals.latest(limit);
  return {
    verifier_key: verifierKeyOf(keys),
    heads: latest.map((seal) => ({
      seal: seal._id,
      below_id: seal.below,
      entries: seal.entries,
      at: seal.at,
      checkpoint: checkpointOf(seal, keys),
    })),
  };
}
