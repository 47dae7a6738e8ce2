import { redactText } from './redact';

const mail = /[^\s@<>"'(),;:]{1,64}@[^\s@<>"'(),;:]{1,255}/g;
const key = /\b(?:sk|pk|rk|whsec)_[A-Za-z0-9_]{8,}/g;

/** No card number and no key is shorter than this. */
const shortest = 11;

/** Text of a payload, fit for the audit log (decisions.md section 7): card numbers, e-mail addresses, credentials and keys are masked. */
export function forLog(text: string): string {
  if (text.length < shortest && !text.includes('@')) return text;
  const masked = redactText(text);
  if (masked.includes('@')) return masked.replace(mail, '[email]').replace(key, '[secret]');
  return masked.includes('_') ? masked.replace(key, '[secret]') : masked;
}
