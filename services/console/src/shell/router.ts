import { signal } from '@preact/signals';
import { type Query, queryText } from './match';

const { base = '', timeZone = 'UTC', version = '' } = document.documentElement.dataset;

/** What api-gateway wrote into the page: BASE_PATH, the shop's time zone, the version of the software. */
export const place = { base, timeZone, version } as const;

export type Address = { readonly path: string; readonly query: Query };

/** The address below BASE_PATH. */
export const address = signal<Address>(read());

/** Asked before the page is left; false keeps it. */
let mayLeave: (() => Promise<boolean>) | undefined;

function read(): Address {
  const path = location.pathname.slice(place.base.length) || '/';
  if (path === '/dead-letters') {
    // The page of earlier versions.
    history.replaceState(null, '', to('/events', { state: 'dead' }));
    return read();
  }
  return { path, query: Object.fromEntries(new URLSearchParams(location.search)) };
}

export function to(path: string, query: Query = {}): string {
  return `${place.base}${path}${queryText(query)}`;
}

type GoOptions = { readonly replace?: boolean; readonly saved?: boolean };

/** Goes to a page below BASE_PATH; `replace`: in place of the present address, `saved`: what was edited is saved, or gone on purpose. */
export async function go(
  path: string,
  query: Query = {},
  { replace = false, saved = false }: GoOptions = {},
): Promise<void> {
  const samePage = path === address.value.path;
  const { page: before = '' } = address.value.query;
  if (!samePage && !saved && !(await left())) return;
  if (!replace) history.replaceState({ top: scrollY }, '');
  history[replace ? 'replaceState' : 'pushState'](null, '', to(path, query));
  address.value = read();
  // Another page of a list is read from its beginning.
  if (!samePage || (query.page ?? '') !== before) scrollTo(0, 0);
}

/** Replaces parts of the query; what is empty goes. */
export function setQuery(changes: Query): void {
  void go(address.value.path, { ...address.value.query, ...changes }, { replace: true });
}

/** Whether the page may be left; asks at most once. */
export async function left(): Promise<boolean> {
  if (mayLeave !== undefined && !(await mayLeave())) return false;
  mayLeave = undefined;
  return true;
}

/** Scrolls to where the page was left, once it is read and long enough again. */
function scrollBack(top: number, until: number): void {
  scrollTo(0, top);
  const isReading = scrollY < top - 1 || document.querySelector('main [aria-busy=true]') !== null;
  if (isReading && Date.now() < until) requestAnimationFrame(() => scrollBack(top, until));
}

const holdTab = (event: BeforeUnloadEvent) => event.preventDefault();

/** Asks `ask` before the page is left, until the function that it returns is called. */
export function guardLeaving(ask: () => Promise<boolean>): () => void {
  mayLeave = ask;
  addEventListener('beforeunload', holdTab);
  return () => {
    if (mayLeave === ask) mayLeave = undefined;
    removeEventListener('beforeunload', holdTab);
  };
}

/** Follows links within the console without loading the page again. */
export function startRouter(): void {
  addEventListener('popstate', ({ state }) => {
    const wanted = read();
    const present = address.value;
    if (mayLeave === undefined || wanted.path === present.path) {
      address.value = wanted;
      const { top = 0 } = (state ?? {}) as { top?: number };
      requestAnimationFrame(() => scrollBack(top, Date.now() + 2_000));
      return;
    }
    history.pushState(null, '', to(present.path, present.query));
    void go(wanted.path, wanted.query);
  });
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a');
    if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return;
    const path = link.pathname.slice(place.base.length);
    if (!link.pathname.startsWith(`${place.base}/`) || /^\/(v1|pro|docs)(\/|$)/.test(path) || link.hash !== '') return;
    event.preventDefault();
    void go(path, Object.fromEntries(new URLSearchParams(link.search)));
  });
}
