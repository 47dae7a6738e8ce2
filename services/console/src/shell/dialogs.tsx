import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './parts';

export type Question = {
  readonly title: string;
  readonly text: ComponentChildren;
  readonly confirm: string;
  /** It cannot be taken back: the focus is on Cancel. */
  readonly danger?: boolean;
};

const asked = signal<(Question & { answer(yes: boolean): void }) | undefined>(undefined);

/** Asks before something that cannot be taken back. */
export function ask(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    asked.value = {
      ...question,
      answer: (yes) => {
        asked.value = undefined;
        resolve(yes);
      },
    };
  });
}

/** The dialog of `ask`. */
export function Questions() {
  const question = asked.value;
  if (!question) return null;
  return (
    <Dialog title={question.title} close={() => question.answer(false)}>
      <div class="stack">
        <div>{question.text}</div>
        <p class="buttons">
          <Button
            text={question.confirm}
            class={question.danger ? 'danger' : 'main'}
            act={() => question.answer(true)}
          />
          <Button text="Cancel" autofocus={question.danger} act={() => question.answer(false)} />
        </p>
      </div>
    </Dialog>
  );
}

type DialogProps = {
  readonly title: string;
  readonly close: () => void;
  /** Whether it holds what is never shown again: Escape does not close it. */
  readonly keep?: boolean;
  readonly children: ComponentChildren;
};

/** The browser's own modal dialog: it keeps the focus, and Escape closes it. */
export function Dialog({ title, close, keep = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    return () => before?.focus?.();
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (keep && event.key === 'Escape') event.preventDefault();
  };
  return (
    <dialog ref={dialog} aria-label={title} onClose={close} onCancel={keep ? undefined : close} onKeyDown={onKeyDown}>
      <div class="stack">
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

type Toast = { readonly id: number; readonly text: string };
const toasts = signal<readonly Toast[]>([]);
let lastToast = 0;

/** Says that something was done, for a few seconds. */
export function say(text: string): void {
  const id = ++lastToast;
  toasts.value = [...toasts.value, { id, text }];
  setTimeout(() => {
    toasts.value = toasts.value.filter((toast) => toast.id !== id);
  }, 5_000);
}

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, text }) => (
        <div class="toast" key={id}>
          {text}
        </div>
      ))}
    </div>
  );
}
