import type { AnswerTo } from '@order-automation/api-gateway/client';
import { useEffect, useState } from 'preact/hooks';
import { say } from '../shell/dialogs';
import { plural } from '../shell/format';
import { useAction, useLoad } from '../shell/load';
import { Button, Card, Empty, Page, Problem, Shown } from '../shell/parts';
import { place } from '../shell/place';
import { address, setQuery, to } from '../shell/router';
import { api } from '../shell/session';
import { Conflicts } from './conflicts';
import { DeletedRules } from './deleted-rules';
import { between, moved } from './draft';
import { ImportRules } from './import-rules';
import { readComponents } from './known-components';
import { RuleRow } from './rule-row';
import { Templates } from './templates';
import './rules.css';

export type Rule = Extract<AnswerTo<'GET /v1/rules'>, { ok: true }>['body']['rules'][number];

const pageSize = 200;

/** All rules in the order in which they run; a page of the service at a time. */
async function allRules(search: string) {
  const rules: Rule[] = [];
  for (let page = 1; ; page += 1) {
    const query = { page, per_page: pageSize, ...(search !== '' && { search }) };
    const answer = await api('GET /v1/rules', { query });
    if (!answer.ok) return answer;
    rules.push(...answer.body.rules);
    if (!answer.body.pagination.has_next) return { ok: true, body: { rules } } as const;
  }
}

export function RulesPage() {
  const { search = '' } = address.value.query;
  const [open, setOpen] = useState<'import' | 'templates' | 'deleted'>();
  const rules = useLoad(() => allRules(search), [search]);
  useEffect(() => void readComponents(), []);
  const close = () => setOpen(undefined);
  const actions = (
    <>
      <a class="button main" href={to('/rules/new')}>
        New rule
      </a>
      <Button text="From a template" act={() => setOpen('templates')} />
      <details class="menu right">
        <summary>More</summary>
        <div>
          <a href={`${place.base}/v1/rules/export?format=yaml`} download>
            Export as YAML
          </a>
          <a href={`${place.base}/v1/rules/export?format=json`} download>
            Export as JSON
          </a>
          <Button text="Import" act={() => setOpen('import')} />
          <Button text="Deleted rules" act={() => setOpen('deleted')} />
        </div>
      </details>
    </>
  );
  return (
    <Page title="Rules" sub="They run from above to below." actions={actions}>
      <div class="stack">
        <Conflicts />
        <input
          type="search"
          aria-label="Find rules by name"
          placeholder="Find rules by name"
          value={search}
          onInput={(event) => setQuery({ search: event.currentTarget.value })}
        />
        <Shown of={rules} rows={8}>
          {(data) =>
            data.rules.length === 0 ? (
              <NoRules search={search} />
            ) : (
              <RuleList rules={data.rules} reload={rules.reload} fixed={search !== ''} />
            )
          }
        </Shown>
      </div>
      {open === 'import' && <ImportRules close={close} done={rules.reload} />}
      {open === 'deleted' && <DeletedRules close={close} />}
      {open === 'templates' && <Templates close={close} />}
    </Page>
  );
}

function NoRules({ search }: { search: string }) {
  return (
    <Card flush>
      {search === '' ? (
        <Empty title="There is no rule yet.">
          <p>A rule says when something is done with an order: after which event, under which conditions.</p>
          <p class="buttons">
            <a class="button main" href={to('/rules/new')}>
              Make the first one
            </a>
          </p>
        </Empty>
      ) : (
        <Empty title="No rule has this name." />
      )}
    </Card>
  );
}

type ListProps = {
  readonly rules: readonly Rule[];
  readonly reload: () => Promise<void>;
  /** Of a search: the places between these rules are not shown, so nothing moves. */
  readonly fixed: boolean;
};

function RuleList({ rules, reload, fixed }: ListProps) {
  const [order, setOrder] = useState(rules);
  const [dragged, setDragged] = useState<number>();
  const { failure, run } = useAction();
  useEffect(() => setOrder(rules), [rules]);
  const move = async (from: number, target: number) => {
    if (target < 0 || target >= order.length || from === target) return;
    setOrder(moved(order, from, target));
    const ids = between(order, from, target).map(({ id }) => id);
    const done = await run(() => api('POST /v1/rules/reorder', { body: { ids } }));
    if (done) say(`“${order[from]?.name}” is now number ${target + 1}.`);
    await reload();
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
            drag={
              fixed
                ? undefined
                : {
                    start: () => setDragged(index),
                    drop: () => {
                      if (dragged !== undefined) void move(dragged, index);
                      setDragged(undefined);
                    },
                    step: (step) => void move(index, index + step),
                    first: index === 0,
                    last: index === order.length - 1,
                  }
            }
          />
        ))}
      </ol>
    </Card>
  );
}
