import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { type KeyRing, perKey } from './key-ring';

export type Sealer = ReturnType<typeof sealer>;

const form = 'v1';

/** AES-256-GCM under these keys of 32 bytes (`SECRET_KEY`): `v1.<key>.<iv>.<tag>.<text>`. Encrypts with the active key; decrypts with any. */
export function sealer(keys: KeyRing) {
  const { all, active } = perKey(keys, (key) => ({ id: keyId(key), key }));
  const byId = new Map(all.map(({ id, key }) => [id, key]));
  return {
    /** `of` names what the secret belongs to: sealed text copied to somewhere else does not open. */
    seal: (text: string, of: string): string => {
      const { id, key } = active();
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(of));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return [form, id, ...[iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))].join('.');
    },
    /** Throws when no key opens it. */
    open: (sealed: string, of: string): string => {
      const [version, id = '', iv = '', tag = '', text = ''] = sealed.split('.');
      const key = byId.get(id);
      if (version !== form || !key)
        throw new Error('a stored secret was encrypted with a key that is not in SECRET_KEY');
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), { authTagLength: 16 })
        .setAAD(Buffer.from(of))
        .setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8');
    },
    /** Whether it is sealed with another key than `seal` uses now. */
    isOld: (sealed: string): boolean => sealed.split('.')[1] !== active().id,
  };
}

/** Tells keys apart, and gives nothing of them away. */
const keyId = (key: Buffer): string => createHash('sha256').update('key id').update(key).digest('hex').slice(0, 8);
