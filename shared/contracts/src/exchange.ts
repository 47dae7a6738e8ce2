import { z } from 'zod';

/** A schema, or the fields of an object. */
type Part = z.ZodType | z.core.$ZodLooseShape;
type SchemaOf<P> = P extends z.ZodType ? P : P extends z.core.$ZodLooseShape ? z.ZodObject<P> : never;

/** What goes and what comes back of one type of request. */
export const exchange = <const I extends Part, const O extends Part>(input: I, output: O) =>
  ({ input: schemaOf(input), output: schemaOf(output) }) as { input: SchemaOf<I>; output: SchemaOf<O> };

/** What comes back of a request that has nothing to say. */
export const withoutInput = <const O extends Part>(output: O) => exchange({}, output);

const schemaOf = (part: Part) => (part instanceof z.ZodType ? part : z.object(part));

/** ISO 8601 in UTC. */
export const time = z.iso.datetime();
/** From then to then; both count. */
export const periodInput = { from: time.optional(), to: time.optional() };

/** Of a job that works through what passes a filter; `matching`: how many did when it began. What comes later is left alone. */
export const filteredJob = {
  id: z.string(),
  state: z.enum(['running', 'done', 'cancelled']),
  /** The user who asked for it. */
  by: z.string(),
  matching: z.int(),
  started_at: time,
  finished_at: time.nullable(),
};

/** The user, for the log. */
export const askedBy = { by: z.string().max(200).optional() };
