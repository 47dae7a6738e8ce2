import { Copy } from './copy';
import { Dialog } from './dialogs';
import { Button } from './parts';

/** A secret that is shown now and never again. */
export function SecretOnce({ title, secret, close }: { title: string; secret: string; close: () => void }) {
  return (
    <Dialog title={title} close={close} keep>
      <p>Copy it now. It is shown only once.</p>
      <p class="note buttons secret">
        <code>{secret}</code> <Copy text={secret} of={title} />
      </p>
      <p class="buttons">
        <Button text="I have saved it" class="main" act={close} />
      </p>
    </Dialog>
  );
}
