import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ask, close, Dialog, open, type Question, say } from './dialogs';
import { type Action, useAction, type Work } from './load';
import { Button, type ButtonProps, Problem } from './parts';

type ActProps<T> = Omit<ButtonProps, 'act'> & {
  readonly question?: Question;
  readonly work: Work<T>;
  readonly done: string | ((answer: T) => string);
  readonly then?: (answer: T) => unknown;
  /** Takes it back, and goes on as after the work, or from `undone`. */
  readonly undo?: Work<unknown>;
  readonly undone?: () => unknown;
  /** Shows why it was refused. */
  readonly action: Pick<Action, 'busy' | 'run'>;
};

export function Act<T>({ question, work, done, then, undo, undone, action, disabled = false, ...button }: ActProps<T>) {
  const act = async () => {
    if (question && !(await ask(question))) return;
    const answer = await action.run(work);
    if (answer === undefined) return;
    const back = async (back: Work<unknown>) => {
      if ((await action.run(back)) === undefined) return 'It could not be undone.';
      await (undone ?? (() => then?.(answer)))();
      return 'Undone';
    };
    say(typeof done === 'string' ? done : done(answer), undo && (() => back(undo)));
    await then?.(answer);
  };
  return <Button {...button} disabled={action.busy || disabled} act={act} />;
}

type DeleteProps<T> = Omit<ActProps<T>, 'text' | 'question' | 'done'> & {
  readonly text?: string;
  readonly done?: ActProps<T>['done'];
  /** On its buttons. */
  readonly word?: 'Delete' | 'Remove';
  readonly name: string;
  /** What follows from it. */
  readonly effect: string;
};

/** Deletes something once a person has confirmed it. */
export function Delete<T>({ word = 'Delete', name, effect, ...act }: DeleteProps<T>) {
  return (
    <Act
      class="small danger"
      done={`${word}d ${name}`}
      label={`${word} ${name}`}
      text={word}
      {...act}
      question={{ title: `${word} ${name}?`, text: effect, confirm: word, danger: true }}
    />
  );
}

type Removable = Pick<DeleteProps<unknown>, 'name' | 'effect' | 'label'> & {
  readonly id: string;
  readonly shown: ComponentChildren;
  /** Absent where it cannot be removed here. */
  readonly work?: Work<unknown> | undefined;
};

/** A short list, each of which can be removed. */
export function Removables({ of, then }: { of: readonly Removable[]; then: () => unknown }) {
  const action = useAction();
  return (
    <>
      <ul class="plain stack">
        {of.map(({ id, shown, work, ...one }) => (
          <li key={id} class="buttons">
            <span>{shown}</span>
            {work && <Delete word="Remove" class="small" {...one} action={action} work={work} then={then} />}
          </li>
        ))}
      </ul>
      <Problem failure={action.failure} />
    </>
  );
}

type MoveButtonsProps = {
  readonly name: string;
  readonly move: (step: -1 | 1) => unknown;
  /** Whether it is at the beginning of its list, or at the end. */
  readonly first?: boolean;
  readonly last?: boolean;
};

export function MoveButtons({ name, move, first = false, last = false }: MoveButtonsProps) {
  return (
    <>
      <Button text="↑" class="small" disabled={first} label={`Move ${name} up`} act={() => move(-1)} />
      <Button text="↓" class="small" disabled={last} label={`Move ${name} down`} act={() => move(1)} />
    </>
  );
}

type CopyProps = {
  readonly text: string;
  /** What it copies, for users who do not see where the button is. */
  readonly of: string;
};

export function Copy({ text, of }: CopyProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    // Pages that came over plain http have no clipboard.
    await (navigator.clipboard?.writeText(text) ?? copySelected(text));
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  const word = copied ? 'Copied' : 'Copy';
  return <Button text={word} class="small" label={`${word} ${of}`} act={copy} />;
}

function copySelected(text: string): void {
  const opener = document.activeElement as HTMLElement;
  const area = Object.assign(document.createElement('textarea'), { value: text });
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
  opener.focus();
}

export function showSecret(title: string, secret: string): void {
  open(
    <Dialog title={title} dismiss={() => undefined}>
      <p>Copy it now. It is shown only once.</p>
      <p class="note buttons secret">
        <code>{secret}</code> <Copy text={secret} of={title} />
      </p>
      <p class="buttons">
        <Button text="I have saved it" class="main" act={close} />
      </p>
    </Dialog>,
  );
}
