import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { exactTime, inWords, moneyText, namesApart, orderNamed, statusesNamed, timeText, withInstants } from './format';
import guides from './guides.json';
import type { Failure, Loaded } from './load';
import type { Query } from './match';
import { useOrderNumber } from './order-number';
import { address, place, to } from './router';
import { useStatusNames } from './status-names';
import tones from './tones.json';

export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'quiet';

type PageProps = {
  readonly title: string;
  /** The part of the page that is open, in the title of the window. */
  readonly part?: string | undefined;
  readonly sub?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** Keeps heading and actions in sight while a long form is filled in. */
  readonly sticky?: boolean;
  /** Space between its parts. */
  readonly stack?: boolean;
  readonly children: ComponentChildren;
};

/** Heading and content of a page; the heading takes the focus when one comes from another page. */
export function Page({ title, part, sub, actions, sticky = false, stack = false, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { path } = address.value;
  useEffect(() => {
    document.title = [part, title, 'Order automation'].filter(Boolean).join(' · ');
  }, [title, part]);
  useEffect(() => {
    if (document.activeElement?.matches('body, .side *')) heading.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <>
      <div class={sticky ? 'pagehead sticky' : 'pagehead'}>
        <div>
          <h1 ref={heading} tabIndex={-1}>
            <bdi>{title}</bdi>
          </h1>
          <Help of={title} />
          {sub !== undefined && <div class="sub">{sub}</div>}
        </div>
        {actions && <div class="buttons">{actions}</div>}
      </div>
      {stack ? <div class="stack">{children}</div> : children}
    </>
  );
}

/** Leads to the guide about a page or a card, in a tab of its own: what is being entered stays. */
function Help({ of: title }: { of: unknown }) {
  const guide = typeof title === 'string' && (guides as Readonly<Record<string, string>>)[title];
  if (!guide) return null;
  const href = `${place.base}/docs/guide/${guide}`;
  return (
    <a class="button small help" href={href} target="_blank" rel="noreferrer" aria-label={`Guide: ${title}`}>
      ?
    </a>
  );
}

type CardProps = {
  readonly title?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly flush?: boolean;
  /** Space between its parts. */
  readonly stack?: boolean;
  readonly children: ComponentChildren;
};

export function Card({ title, actions, flush = false, stack = false, children }: CardProps) {
  return (
    <section class="card">
      {title !== undefined && (
        <header>
          <h2>{title}</h2>
          <Help of={title} />
          {actions && <div class="buttons">{actions}</div>}
        </header>
      )}
      {flush ? children : <div class={stack ? 'body stack' : 'body'}>{children}</div>}
    </section>
  );
}

function toneOf(value: string): Tone {
  const [tone = 'quiet'] = Object.entries(tones).find(([, states]) => states.split(' ').includes(value)) ?? [];
  return tone as Tone;
}

/** A state as a word in its colour. */
export function Status({ value, label, tone }: { value: string; label?: string; tone?: Tone }) {
  return <span class={`status ${tone ?? toneOf(value)}`}>{label ?? inWords(value)}</span>;
}

/** By the clocks of the shop, or in other words (`text`); pointing at it shows the exact instant. */
export function Time({ at, text }: { at: string | null | undefined; text?: string | undefined }) {
  if (at === null || at === undefined) return <span class="soft">never</span>;
  return (
    <time dateTime={at} title={exactTime(at, place.timeZone)}>
      {text ?? timeText(at, Date.now(), place.timeZone)}
    </time>
  );
}

/** A sentence, its instants by the clocks of the shop, its statuses by their names and its order with its number. */
export function Said({ text, order = null }: { text: string; order?: number | null }) {
  const said = orderNamed(statusesNamed(namesApart(text), useStatusNames()), order, useOrderNumber(order));
  return (
    <>{withInstants(said).map((part) => (typeof part === 'string' ? part : <Time key={part.at} at={part.at} />))}</>
  );
}

export function Money({ amount, currency }: { amount: string; currency: string }) {
  return (
    <span class="money" title={`${amount} ${currency}`}>
      {moneyText(amount, currency)}
    </span>
  );
}

/** Why something is not here, in words; of a fault of the service the id under which its own log has the details. */
export function Problem({ failure, retry }: { failure: Failure | undefined; retry?: () => void }) {
  if (failure === undefined) return null;
  const { message, requestId, status, violations } = failure;
  return (
    <div class="note bad" role="alert">
      <p>{message}</p>
      {violations.length > 0 && (
        <ul>
          {violations.map(({ path, message: text }) => (
            <li key={path + text}>
              {path !== '' && <code>{path}</code>} {text}
            </li>
          ))}
        </ul>
      )}
      {status >= 500 && requestId !== '' && (
        <small>
          Request <code>{requestId}</code>
        </small>
      )}
      {retry && (
        <p class="buttons">
          <Button text="Try again" class="small" act={retry} />
        </p>
      )}
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

/** Takes the room of what is being read. */
export function Waiting({ rows = 4 }: { rows?: number }) {
  return (
    <div class="waiting" aria-busy="true" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} />
      ))}
    </div>
  );
}

type ShownProps<T> = {
  readonly of: Loaded<T>;
  readonly rows?: number;
  readonly children: (data: T) => ComponentChildren;
};

/** What was read; else room for it, or why it is not there. */
export function Shown<T>({ of: { data, failure, reload }, rows = 4, children }: ShownProps<T>) {
  if (data !== undefined) return <>{children(data)}</>;
  if (failure) return <Problem failure={failure} retry={() => void reload()} />;
  return <Waiting rows={rows} />;
}

export type ButtonProps = {
  readonly text: string;
  readonly act: () => unknown;
  readonly class?: 'small' | 'main' | 'danger' | 'main small' | 'small danger' | undefined;
  readonly disabled?: boolean;
  /** Where the text alone does not say what it is about. */
  readonly label?: string;
  /** Takes the focus when its dialog opens. */
  readonly autofocus?: boolean | undefined;
};

/** A button that submits nothing. */
export function Button({ text, act, label, ...button }: ButtonProps) {
  return (
    <button type="button" {...button} aria-label={label} onClick={() => void act()}>
      {text}
    </button>
  );
}

type ButtonLinkProps = Pick<ButtonProps, 'text' | 'class' | 'label'> & { readonly to: string; readonly query?: Query };

export function ButtonLink({ text, to: path, query = {}, class: look, label }: ButtonLinkProps) {
  return (
    <a class={look ? `button ${look}` : 'button'} href={to(path, query)} aria-label={label}>
      {text}
    </a>
  );
}

/** What is known of something, by name; null, undefined and false are left out. */
export function Facts({ of }: { of: Readonly<Record<string, ComponentChildren>> }) {
  return (
    <dl class="facts">
      {Object.entries(of).map(
        ([title, value]) =>
          (value ?? false) !== false && (
            <Fragment key={title}>
              <dt>{title}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}

/** Names what the licence does not cover. */
export function Extended({ text }: { text: string }) {
  return (
    <p class="note">
      <strong>Extended edition.</strong> {text}
    </p>
  );
}
