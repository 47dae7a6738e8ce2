import type { Documents } from './port';

type Counter = { readonly _id: string; readonly value: number };

/** Takes the next `count` numbers of a counter that exists and resolves with the first. No number is taken twice by callers or processes. */
export async function takeNumbers<C extends Counter>(
  documents: Documents<C>,
  _id: C['_id'],
  count = 1,
): Promise<number> {
  const counters = documents as unknown as Documents<Counter>;
  for (;;) {
    const counter = await counters.findOne({ _id });
    if (counter === null) throw new Error(`The counter ${_id} is missing.`);
    const { value } = counter;
    const { matchedCount } = await counters.updateOne({ _id, value }, { $set: { value: value + count } });
    if (matchedCount === 1) return value + 1;
  }
}
