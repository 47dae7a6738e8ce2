/** Whatever people and programs put between the digits of a card number: blanks, dashes, dots, slashes, underscores, invisible characters. */
const between = String.raw`[\s\p{Pd}\p{Cf}.·•/\\_+]`;
const digit = String.raw`\p{Nd}`;
const asciiBetween = String.raw`[\s./\\_+-]`;

const leastDigits = 14;
const maxDigits = 19;
const maxBetween = 3;

const asciiCandidate = new RegExp(String.raw`\d(?:${asciiBetween}{0,${maxBetween}}\d){${leastDigits - 1}}`);
const candidate = new RegExp(`${digit}(?:${between}{0,${maxBetween}}${digit}){${leastDigits - 1}}`, 'u');
const run = new RegExp(
  String.raw`(?<![\p{L}\p{N}_])${digit}(?:${between}{0,${maxBetween}}${digit}){${leastDigits - 1},}`,
  'gu',
);
const group = new RegExp(`${digit}+`, 'gu');
// biome-ignore lint/suspicious/noControlCharactersInRegex: what is not ASCII
const notAscii = /[^\x00-\x7f]/;
const decimal = /^\d+\.\d+$/;
const date = /^(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])/;

/** Whether a text may hold a card number; false is certain. Cheap, for texts of which nearly none does. */
export function mayHoldCardNumber(text: string): boolean {
  if (text.length < leastDigits) return false;
  return notAscii.test(text) ? candidate.test(text) : asciiCandidate.test(text);
}

/** Replaces card numbers, however their digits are written and separated, by `[card]`: 14 to 19 digits with a right check digit (Luhn). */
export const maskCardNumbers = (text: string): string => (mayHoldCardNumber(text) ? text.replace(run, maskRun) : text);

/** A number that is one of a card as the text `[card]`, any other as it is. */
export const maskNumber = (value: number): number | string =>
  Math.abs(value) >= 1e12 && maskCardNumbers(String(value)) === '[card]' ? '[card]' : value;

type Group = { readonly start: number; readonly end: number; readonly digits: string };

/** A run of groups of digits can hold more than the number: the date on the card, its security code. */
function maskRun(text: string, offset: number, whole: string): string {
  if (decimal.test(text)) return text;
  const follower = whole.slice(offset + text.length);
  const groups = [...text.matchAll(group)].map(({ 0: digits, index }): Group => {
    return { start: index, end: index + digits.length, digits: plainDigits(digits) };
  });
  // The last group is the beginning of a name.
  if (/^[\p{L}_]/u.test(follower)) groups.pop();
  let masked = '';
  let from = 0;
  for (let index = 0; index < groups.length; ) {
    const last = lastOfNumber(groups, index);
    if (last < 0) index += 1;
    else {
      masked += `${text.slice(from, groups[index]?.start)}[card]`;
      from = groups[last]?.end ?? from;
      index = last + 1;
    }
  }
  return masked + text.slice(from);
}

/** The last group of the longest card number that begins with this group; -1 when none does. */
function lastOfNumber(groups: readonly Group[], first: number): number {
  let digits = '';
  let found = -1;
  for (let index = first; index < groups.length && digits.length <= maxDigits; index += 1) {
    digits += groups[index]?.digits ?? '';
    if (isCardNumber(digits) && !(index > first && date.test(digits))) found = index;
  }
  return found;
}

const isCardNumber = (digits: string): boolean =>
  digits.length >= leastDigits && digits.length <= maxDigits && /^[2-6]/.test(digits) && passesLuhn(digits);

/** Decimal digits of other scripts and widths as 0 to 9. Unicode keeps the ten digits of a script together, in order. */
function plainDigits(text: string): string {
  return text.replace(/[^0-9]/gu, (char) => {
    const plain = char.normalize('NFKC');
    if (/^[0-9]$/.test(plain)) return plain;
    const code = char.codePointAt(0) ?? 0;
    let value = 0;
    while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
    return String(value);
  });
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const value = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? value * 2 : value;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
