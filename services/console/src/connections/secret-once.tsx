import { Copy } from '../shell/copy';
import { Dialog } from '../shell/dialogs';
import { Button } from '../shell/parts';

/** A secret that is shown now and never again. */
export function SecretOnce({ title, secret, close }: { title: string; secret: string; close: () => void }) {
  return (
    <Dialog title={title} close={close}>
      <p>Copy it now. It is shown once, and nobody can read it here again.</p>
      <p class="secret">
        <code>{secret}</code> <Copy text={secret} />
      </p>
      <p class="buttons">
        <Button text="I have it" class="main" act={close} />
      </p>
    </Dialog>
  );
}
