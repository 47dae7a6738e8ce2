import { ask, say } from '../shell/dialogs';
import { useAction } from '../shell/load';
import { Button, Problem, Time } from '../shell/parts';
import { api } from '../shell/session';
import type { Connection, Gateway } from './connections-page';

export type SenderSecret = NonNullable<Gateway['secrets']>[number];

/** The secrets of a connection in the form that those of gateways have. */
export function secretsOf({ secrets }: Connection): SenderSecret[] {
  return secrets.map(({ id = '', last4, created_at, expires_at, last_used_at = null }) => ({
    id,
    last4,
    source: 'api' as const,
    since: created_at,
    until: expires_at,
    last_used_at,
  }));
}

type SecretsProps = {
  /** A gateway or a connection. */
  readonly name: string;
  readonly secrets: readonly SenderSecret[];
  readonly reload: () => Promise<void>;
};

/** The secrets of a sender that count: until when, when each was last used, and an end for one that leaked. Stands in a list of facts. */
export function Secrets({ name, secrets, reload }: SecretsProps) {
  const { busy, failure, run } = useAction();
  const remove = async ({ id, last4 }: SenderSecret) => {
    const sure = await ask({
      title: `Remove the secret …${last4}?`,
      text:
        secrets.length === 1
          ? `It is the only one: every webhook of ${name} is refused until there is another.`
          : 'Webhooks that it signs are refused from now on.',
      confirm: 'Remove',
      danger: true,
    });
    const params = { gateway: name, id };
    if (!sure || !(await run(() => api('DELETE /v1/webhooks/gateways/{gateway}/secrets/{id}', { params })))) return;
    say(`The secret …${last4} counts no more.`);
    await reload();
  };
  return (
    <>
      <dt>{secrets.length === 1 ? 'Secret' : 'Secrets'}</dt>
      <dd>
        {secrets.length === 0 && <span class="soft">None: every webhook is refused.</span>}
        <ul class="plain secrets">
          {secrets.map((secret) => (
            <li key={secret.id}>
              <span>
                <code>…{secret.last4}</code> <About secret={secret} />
              </span>
              {secret.source === 'api' && (
                <Button
                  text="Remove"
                  class="small"
                  disabled={busy}
                  label={`Remove the secret …${secret.last4} of ${name}`}
                  act={() => remove(secret)}
                />
              )}
            </li>
          ))}
        </ul>
        <Problem failure={failure} />
      </dd>
    </>
  );
}

function About({ secret: { source, since, until, last_used_at } }: { secret: SenderSecret }) {
  return (
    <>
      {source === 'environment' ? 'from the environment' : null}
      {since !== null && (
        <>
          since <Time at={since} />
        </>
      )}
      {until !== null && (
        <>
          , counts until <Time at={until} />
        </>
      )}
      <span class="soft">
        {last_used_at === null ? (
          ', never used'
        ) : (
          <>
            , last used <Time at={last_used_at} />
          </>
        )}
      </span>
    </>
  );
}
