import { Dialog, open } from './dialogs';
import { Find } from './find';
import { listedPages } from './pages';
import { go } from './router';

let prefix = 0;

/** `/` and Ctrl-K find, `?` lists the shortcuts, `g` and a letter opens a page; while the user types only Ctrl-K does. */
export function startKeys(): void {
  addEventListener('keydown', (event) => {
    const at = event.target as HTMLElement;
    const isCommand = event.ctrlKey || event.metaKey;
    const isFind = isCommand && event.key === 'k' && !at.closest('dialog[open]');
    if (!isFind && (isCommand || event.altKey || at.closest('input, select, textarea, dialog[open]'))) return;
    if (isFind || event.key === '/') open(<Find />);
    else if (event.key === '?') open(<Keys />);
    else if (event.key === 'g') prefix = Date.now();
    else if (Date.now() - prefix < 1_500) {
      prefix = 0;
      const page = listedPages().find(({ key }) => key === event.key);
      if (!page) return;
      void go(page.path);
    } else return;
    event.preventDefault();
  });
}

/** Moves a menu that is open so that it is whole on the screen. */
function keepOnScreen(menu: HTMLDetailsElement): void {
  const content = menu.querySelector<HTMLElement>(':scope > div');
  if (!content || !menu.open) return;
  content.style.translate = '';
  const { left, right } = content.getBoundingClientRect();
  const over = Math.min(0, document.documentElement.clientWidth - margin - right);
  content.style.translate = `${Math.max(over, margin - left)}px`;
}

/** Pixels between a menu and the edge of the screen. */
const margin = 8;

/** Menus stay on the screen, and close when one of their links or something else is clicked, and with Escape. */
export function startMenus(): void {
  const closeOthers = (kept: Element | null) => {
    for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu[open]')) {
      if (menu !== kept) menu.open = false;
    }
  };
  const onToggle = ({ target }: Event) => {
    if (target instanceof HTMLDetailsElement && target.matches('.menu')) keepOnScreen(target);
  };
  // This event does not bubble.
  document.addEventListener('toggle', onToggle, { capture: true });
  document.addEventListener('click', (event) => {
    const at = event.target as Element;
    const kept = at.closest('a') ? null : at.closest('details.menu');
    if (!kept) at.closest('details.menu')?.querySelector('summary')?.focus();
    if (at.isConnected && !at.closest('dialog')) closeOthers(kept);
  });
  addEventListener('keydown', (event) => {
    const menu = (event.target as Element).closest?.('details.menu[open]');
    if (event.key !== 'Escape' || !menu) return;
    closeOthers(null);
    menu.querySelector('summary')?.focus();
  });
}

export function Keys() {
  return (
    <Dialog title="Keyboard shortcuts">
      <dl class="facts">
        <Key keys="/" text="Find an order, a process, a rule or a page" />
        <Key keys="Ctrl K" text="Find, while you type too" />
        <Key keys="?" text="Show keyboard shortcuts" />
        {listedPages().map(({ path, label = '', key }) => (
          <Key key={path} keys={`g ${key}`} text={label} />
        ))}
        <Key keys="Esc" text="Close a dialog or menu" />
      </dl>
    </Dialog>
  );
}

function Key({ keys, text }: { keys: string; text: string }) {
  return (
    <>
      <dt>
        {keys.split(' ').map((one) => (
          <kbd key={one}>{one}</kbd>
        ))}
      </dt>
      <dd>{text}</dd>
    </>
  );
}
