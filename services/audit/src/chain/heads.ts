import { createHash } from 'node:crypto';
import type { RequestOutput } from '@order-automation/contracts';
import type { Log } from '../log';
import type { ChainKeys, Signer } from './keys';
import { isOurSeal, type SealDocument } from './seals';

const ed25519 = 1;

/** The name of a key, and of the log whose newest key it is: two installations never share one. */
const nameOf = ({ publicKey }: Signer): string =>
  `order-automation/audit/${createHash('sha256').update(publicKey).digest('hex').slice(0, 16)}`;

/** The name of this log in its checkpoints. */
export const originOf = ({ signers: [newest] }: ChainKeys): string => nameOf(newest);

/** The key id of a signed note: the first four bytes of a hash of name, algorithm and public key (C2SP signed-note). */
function keyIdOf(signer: Signer): Buffer {
  return createHash('sha256')
    .update(`${nameOf(signer)}\n`)
    .update(Buffer.from([ed25519]))
    .update(signer.publicKey)
    .digest()
    .subarray(0, 4);
}

/** Three lines in the format of C2SP tlog-checkpoint, signed with each key, the newest first: a name, a count, and a hash in base64. */
export function noteOf(name: string, count: number, hash: string, { signers }: ChainKeys): string {
  const text = `${name}\n${count}\n${hash}\n`;
  const signatures = signers.map((signer) => {
    const signature = Buffer.concat([keyIdOf(signer), signer.sign(text)]).toString('base64');
    return `— ${nameOf(signer)} ${signature}\n`;
  });
  return `${text}\n${signatures.join('')}`;
}

/** A head as a checkpoint: the name of the log, how many entries are behind it, and itself. */
export const checkpointOf = ({ entries, head }: Pick<SealDocument, 'entries' | 'head'>, keys: ChainKeys): string =>
  noteOf(originOf(keys), entries, head, keys);

/** What checks signatures, the newest key first: name, key id and public key, as C2SP signed-note writes them. */
export const verifierKeysOf = ({ signers }: ChainKeys): string[] =>
  signers.map((signer) => {
    const key = Buffer.concat([Buffer.from([ed25519]), signer.publicKey]).toString('base64');
    return `${nameOf(signer)}+${keyIdOf(signer).toString('hex')}+${key}`;
  });

/** Signed heads, the latest first: a copy elsewhere shows that the log was not rewritten since. A seal that a stranger has written is not signed. */
export async function headsOf(limit: number, { seals, keys }: Log): Promise<RequestOutput<'audit.head.list.v1'>> {
  const latest = (await seals.latest(limit)).filter((seal) => isOurSeal(seal, keys));
  return {
    verifier_key: verifierKeysOf(keys)[0] ?? '',
    heads: latest.map((seal) => ({
      seal: seal._id,
      below_id: seal.below,
      entries: seal.entries,
      at: seal.at,
      checkpoint: checkpointOf(seal, keys),
    })),
  };
}
