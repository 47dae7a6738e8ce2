import { randomBytes } from 'node:crypto';

const random = (bytes = 18): string => randomBytes(bytes).toString('hex');

/** Secrets that customers and senders put where they do not belong: into the texts of payloads. Each is one that nothing else looks like. */
export const inPayloads: Readonly<Record<string, string>> = {
  'card number': '4242424242424242',
  'card number with blanks': '5555 5555 5555 4444',
  'card number with dashes': '4000-0566-5566-5556',
  'card number with dots': '6011.1111.1111.1117',
  'card number with no-break blanks': '4012\u00a08888\u00a08888\u00a01881',
  'card number with invisible characters': '5105\u200b1051\u200b0510\u200b5100',
  'card number in digits of full width': '４９１７６１００００００００００００３',
  'card number of 15 digits': '378282246310005',
  'live key': `sk_live_${random()}`,
  'test key': `rk_test_${random()}`,
  'webhook secret': `whsec_${random()}`,
  'bearer token': `Bearer ${random()}`,
  'basic credentials': `Basic ${Buffer.from(`ada:${random()}`).toString('base64')}`,
  'JSON web token': `eyJhbGciOiJIUzI1NiJ9.eyJzdWIi${random()}.${random()}`,
  'private key': `-----BEGIN PRIVATE KEY-----\n${random(40)}`,
  'credentials in an address': `https://ada:${random()}@shop.example/hook`,
};

/** Secrets that stand under a name which says so. */
export const underNames: Readonly<Record<string, string>> = {
  password: `pw-${random()}`,
  client_secret: `cs-${random()}`,
  api_key: `ak-${random()}`,
  access_token: `at-${random()}`,
  authorization: `az-${random()}`,
  'Set-Cookie': `ck-${random()}`,
  credentials: `cr-${random()}`,
  private_key: `pk-${random()}`,
};

/** Secrets that only the product and its operator know, and those that somebody tries. */
export const own = {
  smtpPassword: `smtp-${random()}`,
  connectionSecret: `conn-${random()}`,
  outboundSecret: `out-${random()}`,
  userPassword: `user-${random()}`,
  newPassword: `next-${random()}`,
  wrongPassword: `wrong-${random()}`,
  wrongApplicationPassword: `nope${random()}`,
  wrongBearer: `bear-${random()}`,
  wrongSignature: random(32),
  wrongNonce: `nonce-${random()}`,
  cookie: `cookie-${random()}`,
  inQuery: `query-${random()}`,
};

/** What a search has to look for, with the name under which it is reported. */
export function needles(secrets: Readonly<Record<string, string>>): (readonly [string, string])[] {
  return Object.entries(secrets).flatMap(([name, value]) => {
    // JSON and NDJSON write line ends and quotes otherwise.
    const spellings = new Set([
      value,
      value.replaceAll(' ', ''),
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value),
    ]);
    const digits = value.normalize('NFKC').replace(/[^0-9]/g, '');
    if (name.startsWith('card number')) spellings.add(digits);
    return [...spellings].map((text) => [name, text] as const);
  });
}

/** Names of the secrets that a text has. */
export function found(text: string, sought: readonly (readonly [string, string])[]): string[] {
  return [...new Set(sought.filter(([, value]) => text.includes(value)).map(([name]) => name))];
}
