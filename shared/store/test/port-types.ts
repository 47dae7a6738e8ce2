import type { Collection } from 'mongodb';
import type { Documents, Filter, Sort, Update } from '../src/port';

type Order = {
  readonly _id: string;
  status: 'pending' | 'done';
  total: number;
  attempts: number | null;
  tags: string[];
  paid_at: string | null;
  note?: string;
  lease: { owner: string; until: number } | null;
  outbox: { id: string; type: string }[];
  details: Record<string, unknown>;
};
type Loose = { [key: string]: unknown; readonly _id: number; applied_keys: string[]; total: string };
type Numbered = { readonly _id: number; seq: number; readonly nested: { readonly list: readonly number[] } };

/** Nothing here runs: the compiler is the test (`npm run lint`). */
export function compileTime(orders: Collection<Order>, numbers: Collection<Numbered>, port: Documents<Order>): unknown {
  const satisfied: [Documents<Order>, Documents<Numbered>] = [orders, numbers];
  const looseUpdate: Update<Loose> = { $set: { total: '1', applied_keys: ['a'] } };
  const filters: Filter<Order>[] = [
    { _id: { $in: ['a'] }, status: 'pending', 'lease.until': { $lt: 5 } },
    { paid_at: null, note: { $exists: false }, tags: { $exists: true }, total: { $gt: 2, $lte: 3 } },
    { attempts: { $in: [1, null] }, 'details.kind': { $ne: 'x' }, tags: { $all: ['a', 'b'] } },
  ];
  const updates: Update<Order>[] = [
    { $set: { status: 'done', 'lease.owner': 'me' }, $inc: { attempts: 1, 'details.n': 2 }, $unset: { note: '' } },
    { $max: { paid_at: '2026', total: 5, 'details.at': 'x' }, $set: { tags: ['a'], lease: null } },
  ];
  const sorts: Sort<Order>[] = [{ paid_at: -1, _id: 1 }, { 'lease.until': 1 }];
  return [satisfied, looseUpdate, filters, updates, sorts, ...mistakes(port)];
}

function mistakes(port: Documents<Order>): unknown[] {
  return [
    // @ts-expect-error a misspelt field
    port.findOne({ statsu: 'pending' }),
    // @ts-expect-error a value of another type
    port.findOne({ total: '1' }),
    // @ts-expect-error a value outside the union
    port.findOne({ status: 'paid' }),
    // @ts-expect-error undefined is not null
    port.findOne({ paid_at: undefined }),
    // @ts-expect-error an operator outside the subset
    port.findOne({ status: { $regex: 'x' } }),
    // @ts-expect-error an operator outside the subset
    port.findOne({ tags: { $size: 2 } }),
    // @ts-expect-error an operator outside the subset
    port.findOne({ $nor: [{ total: 1 }] }),
    // @ts-expect-error an operator outside the subset
    port.find({ $or: [{ total: 1 }] }),
    // @ts-expect-error no condition looks into an array
    port.find({ tags: 'a' }),
    // @ts-expect-error no condition compares an object
    port.find({ lease: { owner: 'me', until: 5 } }),
    // @ts-expect-error a misspelt field
    port.updateOne({ _id: 'a' }, { $set: { statsu: 'done' } }),
    // @ts-expect-error an operator outside the subset
    port.updateOne({ _id: 'a' }, { $rename: { status: 'state' } }),
    // @ts-expect-error only numbers are incremented
    port.updateOne({ _id: 'a' }, { $inc: { status: 1 } }),
    // @ts-expect-error an operator outside the subset
    port.updateOne({ _id: 'a' }, { $push: { tags: 'x' } }),
    // @ts-expect-error an option outside the subset
    port.updateMany({ _id: 'a' }, { $set: { total: 1 } }, { arrayFilters: [] }),
    // @ts-expect-error a misspelt field
    port.find({}).sort({ totla: 1 }),
    // @ts-expect-error a direction is 1 or -1
    port.find({}).sort({ total: 'asc' }),
    // @ts-expect-error a method outside the subset
    port.aggregate([]),
    // @ts-expect-error a document lacks fields
    port.insertOne({ _id: 'a' }),
  ];
}
