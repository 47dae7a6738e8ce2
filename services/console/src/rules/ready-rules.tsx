import type { ComponentChildren } from 'preact';
import { Act } from '../shell/act';
import { Dialog } from '../shell/dialogs';
import { type Loaded, useAction, useGet, type Work } from '../shell/load';
import { Button, Problem, Shown, Status, Time } from '../shell/parts';
import { go } from '../shell/router';
import { api } from '../shell/session';

type Item = {
  readonly id: string;
  readonly name: string;
  readonly about: ComponentChildren;
  readonly locked?: boolean;
};
type ReadyRulesProps<Data> = {
  readonly title: string;
  readonly of: Loaded<Data>;
  readonly items: (data: Data) => readonly Item[];
  /** Stands there when there is none. */
  readonly none: string;
  /** On the button of each. */
  readonly text: string;
  readonly work: (id: string) => ReturnType<Work<{ readonly rule: { readonly id: number } }>>;
  readonly done: string;
  readonly close: () => void;
};

/** A list of rules, one of which becomes a rule of the shop. */
function ReadyRules<Data>({ title, of, items, none, text, work, done, close }: ReadyRulesProps<Data>) {
  const action = useAction();
  return (
    <Dialog title={title} close={close}>
      <Problem failure={action.failure} />
      <Shown of={of} rows={6}>
        {(data) => (
          <ul class="plain stack">
            {items(data).length === 0 && <li class="soft">{none}</li>}
            {items(data).map(({ id, name, about, locked = false }) => (
              <li key={id} class="part">
                <header>
                  <div>
                    <h3 dir="auto">{name}</h3>
                    <small>{about}</small>
                  </div>
                  {locked ? (
                    <Status value="locked" label="Extended edition" tone="warn" />
                  ) : (
                    <Act
                      text={text}
                      class="small"
                      label={`${text} ${name}`}
                      action={action}
                      work={() => work(id)}
                      done={done}
                      then={({ rule }) => {
                        close();
                        return go(`/rules/${rule.id}`);
                      }}
                    />
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

/** Rules that come with the product. */
export function Templates({ close }: { close: () => void }) {
  return (
    <ReadyRules
      title="Templates"
      of={useGet('GET /v1/rules/templates')}
      items={({ templates }) =>
        templates.map(({ id, name, description, accessible }) => ({
          id,
          name,
          about: description,
          locked: !accessible,
        }))
      }
      none="There are no templates."
      text="Use"
      work={(template) => api('POST /v1/rules', { body: { template } })}
      done="Rule created. It runs once you enable it."
      close={close}
    />
  );
}

/** Rules that were deleted within 90 days. */
export function DeletedRules({ close }: { close: () => void }) {
  return (
    <ReadyRules
      title="Deleted rules"
      of={useGet('GET /v1/rules', { query: { deleted: true, per_page: 100 } })}
      items={({ rules }) =>
        rules.map(({ id, name, updated_at }) => ({
          id: String(id),
          name,
          about: (
            <>
              Last changed <Time at={updated_at} />
            </>
          ),
        }))
      }
      none="No rule was deleted in the last 90 days."
      text="Restore"
      work={(id) => api('POST /v1/rules/{id}/restore', { params: { id }, body: {} })}
      done="Rule restored. It runs once you enable it."
      close={close}
    />
  );
}
