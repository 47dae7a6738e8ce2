import { useEffect, useRef, useState } from 'preact/hooks';
import { MoveButtons } from '../shell/act';
import { open, say } from '../shell/dialogs';
import { countText, plural } from '../shell/format';
import { useAction, useGet, useLoad } from '../shell/load';
import { Button, ButtonLink, Card, Empty, Page, Problem, Shown, Time } from '../shell/parts';
import { address, place, setQuery, to } from '../shell/router';
import { api, type Body } from '../shell/session';
import { ArrivalOrder } from './arrival-order';
import { readComponents } from './components';
import { between, moved } from './draft';
import { DeletedRules, ImportRules, Templates } from './other-rules';
import './rules.css';
import { EnableRule } from './rule-actions';
import { RuleSentence } from './rule-sentence';
import { RuleWarnings } from './rule-warnings';
import { RuleState } from './shadow';

type Rule = Body<'GET /v1/rules'>['rules'][number];

/** All rules in the order in which they run, read page by page. */
async function allRules(search: string) {
  const rules: Rule[] = [];
  for (let page = 1; ; page += 1) {
    const query = { page, per_page: 200, ...(search !== '' && { search }) };
    const answer = await api('GET /v1/rules', { query });
    if (!answer.ok) return answer;
    rules.push(...answer.body.rules);
    if (!answer.body.pagination.has_next) return { ok: true, body: { rules } } as const;
  }
}

export function RulesPage() {
  const { search = '' } = address.value.query;
  const rules = useLoad(() => allRules(search), [search]);
  const conflicts = useGet('GET /v1/rules/conflicts');
  const [changedAt, setChangedAt] = useState(0);
  const reload = () => Promise.all([rules.reload(), conflicts.reload(), setChangedAt(Date.now())]);
  useEffect(() => void readComponents(), []);
  const actions = (
    <>
      <ButtonLink text="New rule" class="main" to="/rules/new" />
      <Button text="From a template" act={() => open(<Templates />)} />
      <details class="menu">
        <summary>More</summary>
        <div>
          {['yaml', 'json'].map((format) => (
            <a key={format} href={`${place.base}/v1/rules/export?format=${format}`} download>
              {`Export as ${format.toUpperCase()}`}
            </a>
          ))}
          <Button text="Import" act={() => open(<ImportRules done={reload} />)} />
          <Button text="Deleted rules" act={() => open(<DeletedRules />)} />
        </div>
      </details>
    </>
  );
  return (
    <Page title="Rules" sub="Rules run from top to bottom." actions={actions} stack>
      <RuleWarnings of={conflicts.data?.warnings ?? []} />
      <ArrivalOrder key={changedAt} />
      <input
        type="search"
        aria-label="Find rules by name or id"
        placeholder="Find rules by name or id"
        value={search}
        onInput={(event) => setQuery({ search: event.currentTarget.value })}
      />
      <Shown of={rules} rows={8}>
        {(data) =>
          data.rules.length === 0 ? (
            <NoRules search={search} />
          ) : (
            <RuleList rules={data.rules} reload={reload} fixed={search !== ''} />
          )
        }
      </Shown>
    </Page>
  );
}

function NoRules({ search }: { search: string }) {
  return (
    <Card flush>
      {search === '' ? (
        <Empty title="No rules yet">
          <p>A rule changes an order after an event, if its conditions are true.</p>
          <p class="buttons">
            <ButtonLink text="Create the first one" class="main" to="/rules/new" />
          </p>
        </Empty>
      ) : (
        <Empty title="No rule has this name" />
      )}
    </Card>
  );
}

type ListProps = {
  readonly rules: readonly Rule[];
  readonly reload: () => Promise<unknown>;
  /** Results of a search cannot be moved: the rules between them are not shown. */
  readonly fixed: boolean;
};

function RuleList({ rules, reload, fixed }: ListProps) {
  const [order, setOrder] = useState(rules);
  const dragged = useRef<number | undefined>(undefined);
  const { failure, run } = useAction();
  useEffect(() => setOrder(rules), [rules]);
  const move = async (from: number, target: number) => {
    if (target < 0 || target >= order.length || from === target) return;
    const after = moved(order, from, target);
    setOrder(after);
    const reorder = async (rules: readonly Rule[]) => {
      const ids = rules.map(({ id }) => id);
      const done = await run(() => api('POST /v1/rules/reorder', { body: { ids } }));
      await reload();
      return done;
    };
    const back = async () => ((await reorder(between(after, target, from))) ? 'Undone' : 'It could not be undone.');
    if (await reorder(between(order, from, target))) say(`“${order[from]?.name}” is now number ${target + 1}.`, back);
  };
  return (
    <Card title={plural(order.length, 'rule')} flush>
      <Problem failure={failure} />
      <ol class="plain rulelist">
        {order.map((rule, index) => (
          <RuleRow
            key={rule.id}
            rule={rule}
            reload={reload}
            index={index}
            count={order.length}
            dragged={dragged}
            move={fixed ? undefined : move}
          />
        ))}
      </ol>
    </Card>
  );
}

type RowProps = {
  readonly rule: Rule;
  readonly reload: () => Promise<unknown>;
  /** Its place among so many, and the place of the rule that is being dragged. */
  readonly index: number;
  readonly count: number;
  readonly dragged: { current: number | undefined };
  readonly move: ((from: number, to: number) => unknown) | undefined;
};

/** A rule in the list: what it does, whether it is enabled, how often it ran; dragged, or moved by its buttons. */
function RuleRow({ rule, reload, index, count, dragged, move }: RowProps) {
  const [over, setOver] = useState(false);
  const action = useAction();
  const { id, name, stats } = rule;
  const step = (by: -1 | 1) => move?.(index, index + by);
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
        <small>
          <RuleSentence of={rule.rule} />
        </small>
        <Problem failure={action.failure} />
      </div>
      <span class="buttons">
        <RuleState rule={rule} />
        <EnableRule rule={rule} name={name} action={action} reload={reload} class="small" />
      </span>
      <small>
        Ran {countText(stats.run_count)}, matched {countText(stats.match_count)}
        <br />
        Last fired <Time at={stats.last_fired_at} />
      </small>
      <span class="buttons">
        {move && <MoveButtons name={name} move={step} first={index === 0} last={index === count - 1} />}
      </span>
    </li>
  );
}
