import type { ComponentChildren } from 'preact';
import { Copy } from '../shell/copy';
import { countText } from '../shell/format';
import { Time } from '../shell/parts';

type Known = {
  readonly last_event_at: string | null;
  readonly last_refusal: { readonly at: string; readonly text: string } | null;
  readonly counts: { readonly accepted: number; readonly duplicates: number; readonly refused: number };
};

/** What is known of a sender: its address, what came, and what was refused last. */
export function SenderFacts({ url, of, children }: { url: string; of: Known; children?: ComponentChildren }) {
  const { counts } = of;
  return (
    <dl class="facts">
      <dt>Address</dt>
      <dd class="address">
        <code>{url}</code> <Copy text={url} />
      </dd>
      {children}
      <dt>Last event</dt>
      <dd>
        <Time at={of.last_event_at} />
      </dd>
      <dt>Received</dt>
      <dd>
        {countText(counts.accepted)} accepted, {countText(counts.duplicates)} duplicates, {countText(counts.refused)}{' '}
        refused
      </dd>
      {of.last_refusal && (
        <>
          <dt>Last refusal</dt>
          <dd>
            <Time at={of.last_refusal.at} />: {of.last_refusal.text}
          </dd>
        </>
      )}
    </dl>
  );
}

type Warned = { readonly warnings?: readonly { readonly text: string }[] | undefined };

/** What ends soon of a sender. */
export function Warnings({ of: { warnings = [] } }: { of: Warned }) {
  return (
    <>
      {warnings.map(({ text }) => (
        <p class="note warn" key={text}>
          {text}
        </p>
      ))}
    </>
  );
}
