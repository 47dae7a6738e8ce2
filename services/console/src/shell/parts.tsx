import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { exactTime, inWords, moneyText, timeText } from './format';
import type { Failure } from './load';
import { place } from './place';
import { address } from './router';

export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'quiet';

type PageProps = {
  readonly title: string;
  /** The part of the page that is open, in the title of the window. */
  readonly part?: string | undefined;
  readonly sub?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** Keeps heading and actions in sight while a long form is filled in. */
  readonly sticky?: boolean;
  readonly children: ComponentChildren;
};

/** Heading and content of a page; the heading takes the focus when one comes from another page. */
export function Page({ title, part, sub, actions, sticky = false, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { path } = address.value;
  useEffect(() => {
    document.title = [part, title, 'Order automation'].filter(Boolean).join(' · ');
  }, [title, part]);
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement?.closest('.side')) heading.current?.focus();
  }, [path]);
  return (
    <>
      <div class={sticky ? 'pagehead sticky' : 'pagehead'}>
        <div>
          <h1 ref={heading} tabIndex={-1} dir="auto">
            {title}
          </h1>
          {sub !== undefined && <div class="sub">{sub}</div>}
        </div>
        {actions && <div class="buttons">{actions}</div>}
      </div>
      {children}
    </>
  );
}

type CardProps = {
  readonly title?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly flush?: boolean;
  readonly children: ComponentChildren;
};

export function Card({ title, actions, flush = false, children }: CardProps) {
  return (
    <section class="card">
      {title !== undefined && (
        <header>
          <h2>{title}</h2>
          {actions && <div class="buttons">{actions}</div>}
        </header>
      )}
      {flush ? children : <div class="body">{children}</div>}
    </section>
  );
}

const tones: Readonly<Record<string, Tone>> = {
  success: 'good',
  delivered: 'good',
  done: 'good',
  active: 'good',
  completed: 'good',
  pass: 'good',
  matched: 'good',
  error: 'bad',
  failed: 'bad',
  fail: 'bad',
  dead: 'bad',
  refused: 'bad',
  warning: 'warn',
  paused: 'warn',
  held: 'warn',
  waiting: 'warn',
  inactive: 'warn',
  'on-hold': 'warn',
  pending: 'info',
  accepted: 'info',
  verifying: 'info',
  processing: 'info',
  running: 'info',
};

/** A state as a word in its colour. */
export function Status({ value, label, tone }: { value: string; label?: string; tone?: Tone }) {
  return <span class={`status ${tone ?? tones[value] ?? 'quiet'}`}>{label ?? inWords(value)}</span>;
}

/** By the clocks of the shop; pointing at it shows the exact instant. */
export function Time({ at }: { at: string | null | undefined }) {
  if (at === null || at === undefined) return <span class="soft">never</span>;
  return (
    <time dateTime={at} title={exactTime(at, place.timeZone)}>
      {timeText(at, Date.now(), place.timeZone)}
    </time>
  );
}

export function Money({ amount, currency }: { amount: string; currency: string }) {
  return (
    <span class="money" title={`${amount} ${currency}`}>
      {moneyText(amount, currency)}
    </span>
  );
}

/** Why something is not here, in words, with the id under which the service's own log has the details. */
export function Problem({ failure, retry }: { failure: Failure | undefined; retry?: () => void }) {
  if (failure === undefined) return null;
  const { message, requestId, violations } = failure;
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
      {requestId !== '' && (
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

type LoadedProps<T> = {
  readonly of: { readonly data: T | undefined; readonly failure: Failure | undefined; reload(): Promise<void> };
  readonly rows?: number;
  readonly children: (data: T) => ComponentChildren;
};

/** What was read; else room for it, or why it is not there. */
export function Shown<T>({ of: { data, failure, reload }, rows = 4, children }: LoadedProps<T>) {
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

export type Fact = readonly [title: string, value: ComponentChildren];

/** What is known of something, by name; a fact that is not there is left out. */
export function Facts({ of }: { of: readonly (Fact | false | null | undefined)[] }) {
  return (
    <dl class="facts">
      {of.map(
        (fact) =>
          fact && (
            <Fragment key={fact[0]}>
              <dt>{fact[0]}</dt>
              <dd dir="auto">{fact[1]}</dd>
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

/** Senders and services write these texts: some run from right to left. */
export function Raw({ text }: { text: string }) {
  return (
    <pre class="raw" dir="auto">
      {text}
    </pre>
  );
}
