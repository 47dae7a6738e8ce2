import { Dialog, say } from '../shell/dialogs';
import { useAction, useLoad } from '../shell/load';
import { Button, Problem, Shown, Status } from '../shell/parts';
import { go } from '../shell/router';
import { api } from '../shell/session';

/** Rules that are ready to be made. */
export function Templates({ close }: { close: () => void }) {
  const templates = useLoad(() => api('GET /v1/rules/templates'), []);
  const { busy, failure, run } = useAction();
  const make = async (template: string) => {
    const made = await run(() => api('POST /v1/rules', { body: { template } }));
    if (!made) return;
    close();
    say('The rule is made, and disabled until you enable it.');
    await go(`/rules/${made.rule.id}`);
  };
  return (
    <Dialog title="Templates" close={close}>
      <Problem failure={failure} />
      <Shown of={templates} rows={6}>
        {({ templates: list }) => (
          <ul class="plain stack">
            {list.map(({ id, name, description, accessible }) => (
              <li key={id} class="part">
                <header>
                  <div>
                    <h3>{name}</h3>
                    <small>{description}</small>
                  </div>
                  {accessible ? (
                    <Button text="Use" class="small" disabled={busy} label={`Use ${name}`} act={() => make(id)} />
                  ) : (
                    <Status value="locked" label="Extended edition" tone="warn" />
                  )}
                </header>
              </li>
            ))}
          </ul>
        )}
      </Shown>
      <p class="buttons">
        <Button text="Close" act={close} />
      </p>
    </Dialog>
  );
}
