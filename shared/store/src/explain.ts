import type { Document, Documents, Filter, Sort, Store } from './port';

/** How the engine runs a query. `engine` is `sqlite` or the server's name. */
export type QueryPlan = { readonly usesIndex: boolean; readonly detail: string; readonly engine: string };

/** What both adapters make: a store, and beside its port the explanations by which tests prove that each named query walks an index. */
export type ExplainingStore = Store & {
  explain<T extends Document>(documents: Documents<T>, filter: Filter<T>, sort?: Sort<T>): Promise<QueryPlan>;
};
