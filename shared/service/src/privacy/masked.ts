/**
 * What is masked: the one list (decisions.md section 7). Names are those of fields, in lower case without punctuation. Card numbers
 * have a file of their own (card-numbers.ts): 14 to 19 digits with a right check digit, however they are written.
 */
export const masked = {
  names: {
    /** In the audit log, in the log of the process, and in both. */
    secret:
      /passw(or)?d|passphrase|secret$|secret(key|value|s)|authorization|cookie|(access|refresh|bearer|auth|api)token|^token$|credential|apikey|privatekey|accesskey|^(nonce|jwt|signature|hmac|pan|cvc|cvv|iban|cardnumber|accountnumber)$/,
    /** In the log of the process alone, where no doubtful name is worth a leak. */
    doubtful: /secret|token|signature|sig$|nonce|jwt|cardnumber|accountnumber/,
    /** In the log of the process alone: the audit log is about orders and customers. */
    personal:
      /email|phone|firstname|lastname|fullname|customername|postcode|^(address\d?|billing|shipping|company|city|customer|rawdata|rawbody|body)$/,
    /** In the query of an address, besides secrets. */
    parameter: /^(key|auth)$/,
  },
  /** Anywhere in a text. */
  texts: {
    /** Keys and tokens by the shape that their makers give them. */
    key: /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{8,}|\bwhsec_[A-Za-z0-9+/=_-]{8,}|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*|\b(?:Bearer|Basic)\s+[A-Za-z0-9+/=._~-]{8,}|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*/g,
    /** `scheme://user:password@host`: what stands before the `@`. */
    userInfo: /([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@"'<>]+@/gi,
    /** A parameter in the query of an address: how it begins, its name, its value. */
    parameter: /([?&]([\w.~%-]{1,100})=)[^\s&#"'<>]+/g,
    /** In the audit log: the first letter and the domain stay. Letters of any script. */
    address: /([\p{L}\p{N}._%+-])[\p{L}\p{M}\p{N}._%+'-]{0,63}@([\p{L}\p{M}\p{N}.-]{1,190}\.[\p{L}\p{M}]{2,24})/gu,
  },
  /** In what the audit log quotes of a payload, which nobody of us has written. */
  quoted: { address: /[^\s@<>"'(),;:]{1,64}@[^\s@<>"'(),;:]{1,255}/g, key: /\b(?:sk|pk|rk|whsec)_[A-Za-z0-9_]{8,}/g },
} as const;

const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Whether the audit log masks what stands under this name, in any spelling of it. */
export const isSecretName = (name: string): boolean => masked.names.secret.test(plainName(name));

/** Whether what stands under this name must not be logged: secrets and personal data, in any spelling of the name. */
export function isSensitiveName(name: string): boolean {
  const plain = plainName(name);
  const { secret, doubtful, personal } = masked.names;
  return secret.test(plain) || doubtful.test(plain) || personal.test(plain);
}

export function isSecretParameter(name: string): boolean {
  const plain = plainName(name);
  const { secret, doubtful, parameter } = masked.names;
  return secret.test(plain) || doubtful.test(plain) || parameter.test(plain);
}
