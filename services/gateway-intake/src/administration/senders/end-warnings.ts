import type { RequestOutput } from '@order-automation/contracts';
import { endingSecrets, endingText, type Sender, warnAhead } from '../../connections/secret-ends';
import { genericGateway } from '../../gateways/generic/idempotency-keys';
import { walletGateway } from '../../gateways/wallet/adapter';
import type { Parts } from '../parts';

export type EndParts = Pick<Parts, 'senders' | 'secretUses' | 'clock'>;

type EndWarning = NonNullable<RequestOutput<'intake.status.v1'>['warnings']>[number];

/** Secrets and certificates that end within 14 days, in words for everybody: without names of connections and characters of secrets. */
export function endWarnings(parts: EndParts & Pick<Parts, 'certificates'>): EndWarning[] {
  const secrets = parts.senders().flatMap((sender) => {
    const about = sender.endpoint.split('/')[0] ?? '';
    return warnings(parts, sender, { about, name: about === genericGateway ? 'a connection' : about, last4: false });
  });
  const now = parts.clock.now();
  const ends = parts.certificates.all().map(({ leaf }) => Date.parse(leaf.validTo));
  const soon = ends.filter((end) => end > now && end - now <= warnAhead).map((end) => new Date(end).toISOString());
  const certificates = soon.map((ends_at) => {
    const text = `A certificate of the wallet ends on ${ends_at}: load its next one.`;
    return { about: walletGateway, ends_at, text };
  });
  return [...secrets, ...certificates];
}

export function warningsOf(endpoint: string, parts: EndParts): EndWarning[] {
  const about = endpoint.split('/').at(-1) ?? endpoint;
  const senders = parts.senders().filter((sender) => sender.endpoint === endpoint);
  return senders.flatMap((sender) => warnings(parts, sender, { about, name: about, last4: true }));
}

type Named = { readonly about: string; readonly name: string; readonly last4: boolean };

function warnings({ secretUses, clock }: EndParts, { secrets }: Sender, { about, name, last4 }: Named): EndWarning[] {
  return endingSecrets(secrets, { lastUse: ({ id = '' }) => secretUses.lastOf(id), now: clock.now() }).map(
    (ending) => ({ about, ends_at: new Date(ending.end).toISOString(), text: endingText(ending, name, last4) }),
  );
}
