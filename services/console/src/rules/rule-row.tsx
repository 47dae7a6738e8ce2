import { useState } from 'preact/hooks';
import { countText } from '../shell/format';
import { useAction } from '../shell/load';
import { Button, Problem, Status, Time } from '../shell/parts';
import { to } from '../shell/router';
import { inShort, known } from './components';
import { EnableRule } from './rule-actions';
import type { Rule } from './rules-page';

type Drag = {
  readonly start: () => void;
  readonly drop: () => void;
  /** Moves it by keyboard. */
  readonly step: (step: -1 | 1) => void;
  readonly first: boolean;
  readonly last: boolean;
};

/** A rule in the list: what it does, whether it is enabled, how often it ran; dragged, or moved by its buttons. */
export function RuleRow({ rule, reload, drag }: { rule: Rule; reload: () => Promise<void>; drag: Drag | undefined }) {
  const [over, setOver] = useState(false);
  const action = useAction();
  const { id, name, enabled, stats } = rule;
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
        <a dir="auto" href={to(`/rules/${id}`)}>
          {name}
        </a>
        <br />
        <small>{inShort(known.value, rule.rule)}</small>
        <Problem failure={action.failure} />
      </div>
      <span class="buttons">
        <Status value={enabled ? 'active' : 'off'} label={enabled ? 'Enabled' : 'Disabled'} />
        <EnableRule rule={rule} name={name} action={action} reload={reload} class="small" />
      </span>
      <small>
        Ran {countText(stats.run_count)}, matched {countText(stats.match_count)}
        <br />
        Last fired <Time at={stats.last_fired_at} />
      </small>
      <span class="buttons">
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
