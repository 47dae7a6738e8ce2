import { Act } from '../shell/act';
import { useAction } from '../shell/load';
import { Problem, Time } from '../shell/parts';
import { api } from '../shell/session';
import type { Gateway } from './connections-page';

export type SenderSecret = NonNullable<Gateway['secrets']>[number];

type SecretsProps = {
  /** A gateway or a connection. */
  readonly name: string;
  readonly secrets: readonly SenderSecret[];
  readonly reload: () => Promise<void>;
};

/** The valid secrets of a sender: until when, when each was last used, and a way to remove one that leaked. */
export function Secrets({ name, secrets, reload }: SecretsProps) {
  const action = useAction();
  const effect =
    secrets.length === 1
      ? `It is the only one: every webhook of ${name} is refused until you add another.`
      : 'Webhooks signed with it are refused from now on.';
  return (
    <>
      {secrets.length === 0 && <span class="soft">None: every webhook is refused.</span>}
      <ul class="plain stack">
        {secrets.map((secret) => (
          <li key={secret.id} class="buttons">
            <span>
              <code>…{secret.last4}</code> <About secret={secret} />
            </span>
            {secret.source === 'api' && (
              <Act
                text="Remove"
                class="small"
                label={`Remove the secret …${secret.last4} of ${name}`}
                question={{
                  title: `Remove the secret …${secret.last4}?`,
                  text: effect,
                  confirm: 'Remove',
                  danger: true,
                }}
                action={action}
                work={() =>
                  api('DELETE /v1/webhooks/gateways/{gateway}/secrets/{id}', {
                    params: { gateway: name, id: secret.id },
                  })
                }
                done={`Removed the secret …${secret.last4}`}
                then={reload}
              />
            )}
          </li>
        ))}
      </ul>
      <Problem failure={action.failure} />
    </>
  );
}

function About({ secret: { source, since, until, last_used_at } }: { secret: SenderSecret }) {
  return (
    <>
      {source === 'environment' && 'from the environment'}
      {since !== null && (
        <>
          since <Time at={since} />
        </>
      )}
      {until !== null && (
        <>
          , valid until <Time at={until} />
        </>
      )}
      <span class="soft">
        , {last_used_at === null ? 'never used' : 'last used '}
        {last_used_at !== null && <Time at={last_used_at} />}
      </span>
    </>
  );
}
