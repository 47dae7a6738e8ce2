import { open } from './dialogs';
import { Find } from './find';

/** Ctrl-K finds, and `/` where the user is not typing. */
export function startKeys(): void {
  addEventListener('keydown', (event) => {
    const at = event.target as HTMLElement;
    const isCommand = event.ctrlKey || event.metaKey;
    const isTyping = at.closest('input, select, textarea') !== null;
    const isFind = event.key === (isCommand ? 'k' : '/') && (isCommand || !(isTyping || event.altKey));
    if (!isFind || at.closest('dialog[open]')) return;
    open(<Find />);
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
