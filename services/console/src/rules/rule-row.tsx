import { useState } from 'preact/hooks';
import { countText } from '../shell/format';
import { useAction } from '../shell/load';
import { Button, Problem, Status, Time } from '../shell/parts';
import { to } from '../shell/router';
import { inShort, known } from './components';
import { EnableRule } from './rule-actions';
import type { Rule } from './rules-page';

type RowProps = {
  readonly rule: Rule;
  readonly reload: () => Promise<void>;
  /** Its place among so many, and the place of the rule that is being dragged. */
  readonly index: number;
  readonly count: number;
  readonly dragged: { current: number | undefined };
  /** Absent where rules cannot be moved. */
  readonly move: ((from: number, to: number) => unknown) | undefined;
};

/** A rule in the list: what it does, whether it is enabled, how often it ran; dragged, or moved by its buttons. */
export function RuleRow({ rule, reload, index, count, dragged, move }: RowProps) {
  const [over, setOver] = useState(false);
  const action = useAction();
  const { id, name, enabled, stats } = rule;
  const step = (text: string, way: string, to: number) => (
    <Button
      text={text}
      class="small"
      disabled={to < 0 || to >= count}
      label={`Move ${name} ${way}`}
      act={() => move?.(index, to)}
    />
  );
  return (
    <li
      class={over ? 'over' : ''}
      onDragOver={(event) => {
        if (!move) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        move?.(dragged.current ?? index, index);
        dragged.current = undefined;
      }}
    >
      <span
        class="grip"
        draggable={move !== undefined}
        onDragStart={() => {
          dragged.current = index;
        }}
        aria-hidden="true"
      >
        {move && '⠿'}
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
        {move && step('↑', 'up', index - 1)}
        {move && step('↓', 'down', index + 1)}
      </span>
    </li>
  );
}
