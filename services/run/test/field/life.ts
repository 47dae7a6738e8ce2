import type { FieldCase } from './case';
import type { Ending } from './world';

/** One webhook of a sender: its body, and what stands in its headers where the preset looks there. */
export type Sent = object | readonly [body: object, headers: Readonly<Record<string, string>>];

/** What a sender with a preset sends about an order of 29.00 EUR; `id` is the order, and stands in every id of the sender. */
export type Life = Pick<FieldCase, 'told' | 'untold'> & {
  readonly name: string;
  readonly preset: string;
  readonly order?: Readonly<Record<string, unknown>>;
  readonly sends: (id: number) => readonly Sent[];
  readonly ends: Ending;
};

export const lives = (all: readonly Life[]): readonly FieldCase[] =>
  all.map(({ name, preset, order, sends, ends, ...kinds }) => ({
    ...kinds,
    name: `${preset}: ${name}`,
    orders: (id) => [{ id, total: '29.00', currency: 'EUR', ...order }],
    happens: async (world, id) => {
      let last: Awaited<ReturnType<typeof world.preset>> = [];
      for (const sent of sends(id)) {
        const [body, headers] = Array.isArray(sent) ? sent : [sent, {}];
        last = await world.preset(preset, body, headers);
      }
      return last;
    },
    ends: (id) => ({ [id]: ends }),
  }));

/** Minutes of one hour, so that later steps have later times: ISO 8601, and seconds since the epoch. */
export const at = (step: number): string => new Date(Date.UTC(2026, 10, 20, 10, step)).toISOString();
export const seconds = (step: number): number => Date.parse(at(step)) / 1000;
