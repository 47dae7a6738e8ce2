const focusable = ':is(a[href], button, input, select, textarea, summary, [tabindex="0"])';

/**
 * Users of a keyboard stay where they are: once the button that has the focus is done it has it again, and where what has the
 * focus is taken away its neighbour in the card has it, else the heading of the page.
 */
export function keepFocus(): void {
  let last: HTMLElement | undefined;
  let neighbours: HTMLElement[] = [];
  document.addEventListener('pointerdown', () => {
    last = undefined;
  });
  document.addEventListener('focusin', ({ target }) => {
    last = target as HTMLElement;
    const around = [...(last.closest('.card, dialog')?.querySelectorAll<HTMLElement>(focusable) ?? [])];
    const at = around.indexOf(last);
    neighbours = [...around.slice(at + 1), ...around.slice(0, Math.max(at, 0)).reverse()];
  });
  new MutationObserver(() => {
    if (!last || document.activeElement !== document.body) return;
    const next = [last, ...neighbours].find(({ isConnected }) => isConnected) ?? document.querySelector('h1');
    next?.focus();
  }).observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
}
