import { Removables, showSecret } from '../shell/act';
import { Check, FormDialog, InputField, SecretField } from '../shell/forms';
import { Said } from '../shell/parts';
import { api } from '../shell/session';
import type { Gateway } from './connections-page';
import type { Sender } from './sender-card';

export type SenderSecret = NonNullable<Gateway['secrets']>[number];

type SecretsProps = {
  /** A gateway or a connection. */
  readonly name: string;
  readonly secrets: readonly SenderSecret[];
  readonly reload: () => Promise<void>;
};

/** The valid secrets of a sender: until when, when each was last used, and a way to remove one that leaked. */
export function Secrets({ name, secrets, reload }: SecretsProps) {
  const effect =
    secrets.length === 1
      ? `It is the only one: every webhook of ${name} is refused until you add another.`
      : 'Webhooks signed with it are refused from now on.';
  const of = secrets.map((secret) => {
    const { id, last4, source } = secret;
    const shown = [<code key="last4">…{last4}</code>, ' ', <Said key="about" text={aboutText(secret)} />];
    const params = { gateway: name, id };
    const work = () => api('DELETE /v1/webhooks/gateways/{gateway}/secrets/{id}', { params });
    const label = `Remove the secret …${last4} of ${name}`;
    return { id, shown, label, name: `the secret …${last4}`, effect, ...(source === 'api' && { work }) };
  });
  if (of.length === 0) return <span class="soft">None: every webhook is refused.</span>;
  return <Removables of={of} then={reload} />;
}

function aboutText({ source, since, until, last_used_at }: SenderSecret): string {
  const parts = [
    source === 'environment' && 'from an environment variable',
    since !== null && `since ${since}`,
    until !== null && `valid until ${until}`,
    last_used_at === null ? 'never used' : `last used ${last_used_at}`,
  ];
  return parts.filter(Boolean).join(', ');
}

type RotateProps = { readonly of: Pick<Sender, 'name' | 'title' | 'secrets'>; readonly done: () => Promise<void> };

/** A new secret; the old ones stay valid for a while, so that no webhook is lost while the sender changes its own. */
export function RotateSecret({ of: { name, title, secrets = [] }, done }: RotateProps) {
  return (
    <FormDialog
      title={`New secret for ${title}`}
      text="Rotate secret"
      work={({ secret = '', overlap = '', environment }) => {
        const body = {
          overlap_hours: overlap === '' ? null : Number(overlap),
          ...(secret !== '' && { secret }),
          ...(environment !== undefined && { include_environment: true }),
        };
        return api('POST /v1/webhooks/gateways/{gateway}/secrets', { params: { gateway: name }, body });
      }}
      done={({ secret }) => (secret === null ? 'The new secret is valid from now on' : undefined)}
      then={({ secret }) => {
        if (secret !== null) showSecret(`The new secret of ${title}`, secret);
        return done();
      }}
    >
      <InputField
        label="Keep old secrets valid for (hours)"
        hint="0 ends them at once. Leave it empty to keep them as they are."
        name="overlap"
        type="number"
        min={0}
        max={8760}
        step="any"
        value={24}
      />
      {secrets.some(({ source }) => source === 'environment') && (
        <Check label="End the secrets from environment variables too" name="environment" defaultChecked />
      )}
      <SecretField label="New secret" hint="Paste the sender’s secret, or leave it empty to have one generated." />
    </FormDialog>
  );
}
