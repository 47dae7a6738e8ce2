import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './parts';
import { address } from './router';

const shown = signal<ComponentChildren>(null);
/** Above it, so that nothing which was typed into it is lost. */
const asked = signal<ComponentChildren>(null);

/** Opens a dialog, which goes with the page that it was opened on. */
export function open(dialog: ComponentChildren): void {
  shown.value = dialog;
}

export const close = (): void => open(null);

export function Opened() {
  const { path } = address.value;
  const leave = () => {
    shown.value = asked.value = null;
  };
  useLayoutEffect(() => leave, [path]);
  return <>{[shown.value, asked.value]}</>;
}

/** What has the focus again once no dialog is open, or the question above one. */
let opener: HTMLElement | undefined;

type DialogProps = {
  readonly title: string;
  readonly closed?: () => void;
  /** What Escape does instead of closing it. */
  readonly dismiss?: () => unknown;
  readonly children: ComponentChildren;
};

/** The browser's own modal dialog: it keeps the focus, and Escape closes it. */
export function Dialog({ title, closed = close, dismiss, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const at = document.activeElement as HTMLElement;
    // A menu closes when it has opened a dialog; its head takes the focus afterwards.
    const menu = at.closest<HTMLDetailsElement>('details.menu');
    if (menu) menu.open = false;
    const below = at.closest('dialog') ? at : undefined;
    if (at !== document.body && !below) opener = menu?.querySelector('summary') ?? at;
    dialog.current?.showModal();
    // Until the dialog is gone nothing behind it takes the focus.
    return () => void setTimeout(() => (below?.isConnected ? below : opener)?.focus());
  }, []);
  const onCancel = (event: Event) => {
    if (dismiss) event.preventDefault();
    (dismiss ?? closed)();
  };
  const onKeyDown = (event: KeyboardEvent) => dismiss && event.key === 'Escape' && onCancel(event);
  return (
    <dialog ref={dialog} aria-label={title} onClose={closed} onCancel={onCancel} onKeyDown={onKeyDown}>
      <div class="stack">
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

export type Question = {
  readonly title: string;
  readonly text: ComponentChildren;
  readonly confirm: string;
  /** It cannot be taken back: the focus is on Cancel. */
  readonly danger?: boolean;
};

/** Asks before something that cannot be taken back. */
export function ask({ title, text, confirm, danger }: Question): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (yes: boolean) => () => {
      asked.value = null;
      resolve(yes);
    };
    asked.value = (
      <Dialog title={title} closed={answer(false)}>
        <div>{text}</div>
        <p class="buttons">
          <Button text={confirm} class={danger ? 'danger' : 'main'} act={answer(true)} />
          <Button text="Cancel" autofocus={danger} act={answer(false)} />
        </p>
      </Dialog>
    );
  });
}

/** Asks before what was entered is lost. */
export const askToLeave = (): Promise<boolean> =>
  ask({ title: 'Leave without saving?', text: 'What you entered is lost.', confirm: 'Leave', danger: true });

/** Takes back what was done; resolves with what to say then. */
type Undo = () => Promise<string>;

const toasts = signal<readonly { readonly id: number; readonly text: string; readonly undo: Undo | undefined }[]>([]);
let lastToast = 0;

const drop = (id: number): void => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
};

/** Says that something was done, for a few seconds; longer where a click takes it back. */
export function say(text: string, undo?: Undo): void {
  const id = ++lastToast;
  toasts.value = [...toasts.value, { id, text, undo }];
  setTimeout(() => drop(id), undo ? 12_000 : 5_000);
}

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, text, undo }) => (
        <div class="toast" key={id}>
          {text}
          {undo && (
            <Button
              text="Undo"
              class="small"
              act={async () => {
                drop(id);
                say(await undo());
              }}
            />
          )}
        </div>
      ))}
    </div>
  );
}
