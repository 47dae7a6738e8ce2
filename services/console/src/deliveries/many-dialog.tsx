import { useEffect, useState } from 'preact/hooks';
import { Dialog, say } from '../shell/dialogs';
import { type Refusal, useAction } from '../shell/load';
import { Button, Problem, Waiting } from '../shell/parts';

type ManyDialogProps<T> = {
  readonly title: string;
  readonly confirm: string;
  /** What will happen to so many; also to none. */
  readonly text: (matching: number) => string;
  readonly work: (preview: boolean) => Promise<{ readonly ok: true; readonly body: T } | Refusal>;
  /** Said when it was begun. */
  readonly done: (answer: T) => string;
  readonly close: () => void;
  readonly reload: () => Promise<void>;
};

/** Says how many are meant, then does it to all of them. */
export function ManyDialog<T extends { readonly matching: number }>(props: ManyDialogProps<T>) {
  const { title, confirm, text, work, done, close, reload } = props;
  const [matching, setMatching] = useState<number>();
  const { busy, failure, run } = useAction();
  useEffect(() => {
    void run(() => work(true)).then((answer) => setMatching(answer?.matching));
  }, []);
  const start = async () => {
    const begun = await run(() => work(false));
    if (!begun) return;
    say(done(begun));
    close();
    await reload();
  };
  return (
    <Dialog title={title} close={close}>
      <Problem failure={failure} />
      {matching === undefined && !failure && <Waiting rows={1} />}
      {matching !== undefined && <p>{text(matching)}</p>}
      <p class="buttons">
        <Button text={confirm} class="main" disabled={busy || !matching} act={start} />
        <Button text="Cancel" act={close} />
      </p>
    </Dialog>
  );
}
