import { createHmac } from 'node:crypto';
import { valueAt } from '../src/gateways/generic/fields';
import type { PresetFile } from '../src/presets';

type Vector = NonNullable<PresetFile['vector']>;
export type Signed = Pick<Vector, 'headers' | 'body'>;

/** The digest as the file describes it, computed without the product's code. */
export function digest({ settings = {} }: PresetFile, { secret, body, headers, url = '' }: Vector): string {
  const { algorithm = 'sha256', encoding = 'hex', prefix = '', signed = '{body}', secret_encoding = 'text' } = settings;
  const header = headers[settings.hmac_header ?? ''] ?? '';
  const part = settings.timestamp_part ? new RegExp(`${settings.timestamp_part}=(\\d+)`).exec(header)?.[1] : undefined;
  const time = part ?? headers[settings.timestamp_header ?? ''] ?? '';
  const text = signed
    .replace(/\{(\/[^}]+)\}/g, (_all, pointer: string) => String(valueAt(JSON.parse(body), pointer)))
    .replace('{timestamp}', time)
    .replace('{url}', url)
    .replace('{form}', () =>
      [...new URLSearchParams(body)]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .join('')
        .replaceAll(',', ''),
    )
    .replace('{body}', () => body);
  const hmac = createHmac(algorithm, Buffer.from(secret, secret_encoding === 'text' ? 'utf8' : secret_encoding));
  const made = hmac.update(text).digest(encoding === 'base64' ? 'base64' : 'hex');
  return prefix + (encoding === 'hex_upper' ? made.toUpperCase() : made);
}

/** Standard Webhooks, "Signature scheme": the id, the time and the body, under the bytes behind `whsec_`. */
function standardDigest({ secret, body, headers }: Vector): string {
  const find = (end: string) => Object.entries(headers).find(([name]) => name.endsWith(end))?.[1] ?? '';
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return createHmac('sha256', key)
    .update(`${find('-id')}.${find('-timestamp')}.${body}`)
    .digest('base64');
}

/** The body of a sample about an order, as its content type says. */
export function sampleBody({ headers, body }: NonNullable<PresetFile['sample']>, order: number | string): string {
  const isForm = headers['content-type']?.includes('form') === true;
  const text = isForm ? String(new URLSearchParams(body as Record<string, string>)) : JSON.stringify(body);
  return text.replaceAll(isForm ? encodeURIComponent('{order}') : '{order}', String(order));
}

/** The sample of a preset about an order, sent now by a sender that has the secret of its vector: the vector's headers with another time and digest. */
export function signedSample(preset: PresetFile, order: number, { now, url }: { now: number; url: string }): Signed {
  const { sample, vector, settings = {} } = preset;
  if (!sample || !vector) throw new Error(`${preset.id} has no sample`);
  const body = sampleBody(sample, order);
  const path = settings.signature_path;
  const dated = (text: string) =>
    text.replace(/1760000000(000)?/, (_all, ms) => String(ms ? now : Math.floor(now / 1000)));
  const headers = Object.fromEntries(Object.entries(vector.headers).map(([name, text]) => [name, dated(text)]));
  const [before, after] = [vector, { ...vector, headers, body, url }];
  if (path !== undefined) {
    const old = String(valueAt(JSON.parse(body), path));
    return { headers, body: body.replace(old, () => digest(preset, after)) };
  }
  const digestOf = settings.auth_method === 'standard_webhooks' ? standardDigest : (one: Vector) => digest(preset, one);
  const signed = Object.entries(headers).map(([name, text]) => [
    name,
    text.replace(digestOf(before), () => digestOf(after)),
  ]);
  return { headers: Object.fromEntries(signed), body };
}
