import { Dialog, say } from '../shell/dialogs';
import { useAction, useLoad } from '../shell/load';
import { Button, Problem, Shown, Time } from '../shell/parts';
import { go } from '../shell/router';
import { api } from '../shell/session';

/** Rules that were deleted within 90 days, and the way back. */
export function DeletedRules({ close }: { close: () => void }) {
  const rules = useLoad(() => api('GET /v1/rules', { query: { deleted: true, per_page: 100 } }), []);
  const { busy, failure, run } = useAction();
  const restore = async (id: number) => {
    if (!(await run(() => api('POST /v1/rules/{id}/restore', { params: { id }, body: {} })))) return;
    close();
    say('The rule is back, and disabled until you enable it.');
    await go(`/rules/${id}`);
  };
  return (
    <Dialog title="Deleted rules" close={close}>
      <Problem failure={failure} />
      <Shown of={rules} rows={4}>
        {({ rules: list }) =>
          list.length === 0 ? (
            <p class="soft">No rule was deleted within 90 days.</p>
          ) : (
            <ul class="plain stack">
              {list.map(({ id, name, updated_at }) => (
                <li key={id} class="part">
                  <header>
                    <div>
                      <h3>{name}</h3>
                      <small>
                        Last changed <Time at={updated_at} />
                      </small>
                    </div>
                    <Button
                      text="Restore"
                      class="small"
                      disabled={busy}
                      label={`Restore ${name}`}
                      act={() => restore(id)}
                    />
                  </header>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
      <p class="buttons">
        <Button text="Close" act={close} />
      </p>
    </Dialog>
  );
}
