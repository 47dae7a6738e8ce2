import { signal } from '@preact/signals';
import { Dialog } from './dialogs';
import { type PageEntry, pages } from './pages';
import { go } from './router';
import { may } from './session';

export const finding = signal(false);
export const listing = signal(false);

let prefix = 0;

export const opened = (): readonly PageEntry[] => pages.filter(({ label, needs }) => label !== undefined && may(needs));

/** `/` finds, `?` lists the keys, `g` and a letter opens a page; while one types, keys are letters. */
export function startKeys(): void {
  addEventListener('keydown', (event) => {
    const at = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || at.closest('input, select, textarea, dialog[open]')) return;
    if (event.key === '/') finding.value = true;
    else if (event.key === '?') listing.value = true;
    else if (event.key === 'g') prefix = Date.now();
    else if (Date.now() - prefix < 1_500) {
      prefix = 0;
      const page = opened().find(({ key }) => key === event.key);
      if (!page) return;
      void go(page.path);
    } else return;
    event.preventDefault();
  });
}

/** Menus close when something else is clicked or opened, and with Escape. */
export function startMenus(): void {
  const closeOthers = (kept: Element | null) => {
    for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu[open]')) {
      if (menu !== kept) menu.open = false;
    }
  };
  document.addEventListener('click', (event) => {
    const at = event.target as Element;
    if (at.isConnected && !at.closest('dialog')) closeOthers(at.closest('details.menu'));
  });
  addEventListener('keydown', (event) => {
    const menu = (event.target as Element).closest?.('details.menu[open]');
    if (event.key !== 'Escape' || !menu) return;
    closeOthers(null);
    menu.querySelector('summary')?.focus();
  });
}

export function Keys() {
  if (!listing.value) return null;
  return (
    <Dialog
      title="Keys"
      close={() => {
        listing.value = false;
      }}
    >
      <dl class="facts">
        <dt>
          <kbd>/</kbd>
        </dt>
        <dd>Find an order, a process, a rule or a page</dd>
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>List the keys</dd>
        {opened().map(({ path, label, key }) => (
          <>
            <dt key={`${path}-key`}>
              <kbd>g</kbd> <kbd>{key}</kbd>
            </dt>
            <dd key={path}>{label}</dd>
          </>
        ))}
        <dt>
          <kbd>Esc</kbd>
        </dt>
        <dd>Close what is open</dd>
      </dl>
    </Dialog>
  );
}
