import { useState } from 'preact/hooks';
import { countText } from '../shell/format';
import { useAction } from '../shell/load';
import { Button, Problem, Time } from '../shell/parts';
import { to } from '../shell/router';
import { api } from '../shell/session';
import { inShort } from './components';
import { known } from './known-components';
import type { Rule } from './rules-page';

type Drag = {
  readonly start: () => void;
  readonly drop: () => void;
  /** The same by keyboard. */
  readonly step: (step: -1 | 1) => void;
  readonly first: boolean;
  readonly last: boolean;
};

type RowProps = { readonly rule: Rule; readonly reload: () => Promise<void>; readonly drag: Drag | undefined };

/** A rule in the list: what it does, whether it runs, how often it did; dragged or moved by its buttons. */
export function RuleRow({ rule, reload, drag }: RowProps) {
  const [over, setOver] = useState(false);
  const { busy, failure, run } = useAction();
  const { id, name, enabled, stats } = rule;
  const toggle = async () => {
    await run(() => api('PUT /v1/rules/{id}', { params: { id }, body: { enabled: !enabled } }));
    await reload();
  };
  return (
    <li
      class={over ? 'over' : ''}
      onDragOver={(event) => {
        if (!drag) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        drag?.drop();
      }}
    >
      <span class="grip" draggable={drag !== undefined} onDragStart={drag?.start} aria-hidden="true">
        {drag && '⠿'}
      </span>
      <div>
        <a href={to(`/rules/${id}`)}>{name}</a>
        <br />
        <small>{inShort(known.value, rule.rule)}</small>
        <Problem failure={failure} />
      </div>
      <label class="switch">
        <input
          type="checkbox"
          aria-label={`${enabled ? 'Enabled' : 'Disabled'}: ${name}`}
          checked={enabled}
          disabled={busy}
          onChange={() => void toggle()}
        />
        {enabled ? 'Enabled' : 'Disabled'}
      </label>
      <small>
        Ran {countText(stats.run_count)}, matched {countText(stats.match_count)}
        <br />
        Last fired <Time at={stats.last_fired_at} />
      </small>
      <span class="movers">
        {drag && (
          <>
            <Button text="↑" class="small" disabled={drag.first} label={`Move ${name} up`} act={() => drag.step(-1)} />
            <Button text="↓" class="small" disabled={drag.last} label={`Move ${name} down`} act={() => drag.step(1)} />
          </>
        )}
      </span>
    </li>
  );
}
