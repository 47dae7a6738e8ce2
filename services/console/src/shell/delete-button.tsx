import { ask, say } from './dialogs';
import type { Action, Refusal } from './load';
import { Button } from './parts';

type DeleteButtonProps = {
  readonly name: string;
  /** What is asked before; the name where it says nothing else. */
  readonly title?: string;
  /** What follows from it. */
  readonly text: string;
  /** Said when it is done. */
  readonly done: string;
  readonly work: () => Promise<{ readonly ok: true; readonly body: unknown } | Refusal>;
  /** Shows why it was refused. */
  readonly action: Pick<Action, 'busy' | 'run'>;
  readonly reload: () => Promise<void>;
};

/** Deletes something in a list once a person has confirmed it. */
export function DeleteButton({ name, title, text, done, work, action, reload }: DeleteButtonProps) {
  const remove = async () => {
    const sure = await ask({ title: title ?? `Delete ${name}?`, text, confirm: 'Delete', danger: true });
    if (!sure || !(await action.run(work))) return;
    say(done);
    await reload();
  };
  return <Button text="Delete" class="small danger" disabled={action.busy} label={`Delete ${name}`} act={remove} />;
}
