import { createHmac } from 'node:crypto';

/** The value of `Card-Signature` for a body (decisions.md section 6). `t` is in seconds since the epoch. */
export function cardSignature(
  secret: string,
  body: string | Uint8Array,
  t: number = Math.floor(Date.now() / 1000),
): string {
  const digest = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex');
  return `t=${t},v1=${digest}`;
}
