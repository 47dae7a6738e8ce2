const special = /[\\^$.*+?()[\]{}|]/g;

/** A text as the log keeps it: what it tells of the customer as the first letter, `Ada Byron` as `A***`. Anything else stays as it is. */
export function impersonal<T>(text: T, personal: readonly string[] = []): T | string {
  if (typeof text !== 'string') return text;
  return personal.reduce<string>((shown, value) => {
    const whole = `(?<![\\p{L}\\p{N}])${value.replace(special, '\\$&')}(?![\\p{L}\\p{N}])`;
    return shown.replace(new RegExp(whole, 'gu'), `${[...value][0]}***`);
  }, text);
}
