import { useState } from 'preact/hooks';
import { Changes } from '../shell/changes';
import { sentence } from '../shell/format';
import { type Failure, useAction, useEvery, useSettled } from '../shell/load';
import { OrderLink } from '../shell/order-number';
import { Card, Problem, Said, Status } from '../shell/parts';
import { api, type Body } from '../shell/session';
import { OrderSearch } from '../shell/suggest';
import type { RuleData } from './draft';

export type TestResult = Body<'POST /pro/v1/debug-rule/test'>['data'];

const typingPause = 400;
/** Until it is asked again after the service was busy. */
const busyPause = 3_000;

type TryOutProps = {
  /** As it would be saved. */
  readonly rule: RuleData;
  readonly tested: TestResult | undefined;
  readonly change: (result: TestResult | undefined) => void;
  /** The order that the address names. */
  readonly order?: string | undefined;
};

/** Tests the rule on an order after every edit; changes nothing. */
export function TryOut({ rule, tested, change, order: given }: TryOutProps) {
  const [order, setOrder] = useState(given ?? '');
  const [tries, setTries] = useState(0);
  const { failure, run } = useAction();
  useEvery(busyPause, () => setTries((count) => count + 1), failure?.status === 503);
  const text = JSON.stringify(rule);
  const test = () => {
    if (order === '' || rule.trigger.id === '') return undefined;
    return run(() => api('POST /pro/v1/debug-rule/test', { body: { order_id: Number(order), rule_data: rule } }));
  };
  useSettled(typingPause, test, (answer) => change(answer?.data), [text, order, tries]);
  return (
    <Card title="Test it on an order" stack>
      <OrderSearch label="An order by number, name or e-mail" pick={setOrder} />
      {order !== '' && (
        <p>
          <OrderLink id={Number(order)} text="Order " /> {tested && <Said text={`is ${tested.order_details.status}`} />}
        </p>
      )}
      <Refused failure={failure} />
      {tested && order !== '' && !failure && <Result tested={tested} />}
      <small>This changes nothing.</small>
    </Card>
  );
}

/** Violations stand beside their fields once the rule is saved; here the sentence is enough. */
export function Refused({ failure }: { failure: Failure | undefined }) {
  if (failure?.code === 'svc_validation_failed') return <p class="soft">Fill in all settings first.</p>;
  return <Problem failure={failure} />;
}

/** The actions it would run, or the smallest change that would make it match. */
function Result({ tested }: { tested: TestResult }) {
  const { matched, would_run, suggestions } = tested;
  return (
    <div class="stack" aria-live="polite">
      <p>
        <Status value={matched ? 'matched' : 'fail'} label={matched ? 'It would match' : 'It would not match'} />
      </p>
      {would_run.map(({ id, label, message, changes }, index) => (
        <div key={`${id}-${index}`}>
          <strong>{label}</strong>
          <p class="soft">{sentence(message)}</p>
          <Changes changes={changes} />
        </div>
      ))}
      {suggestions.map((text) => (
        <p key={text}>
          <Said text={sentence(text)} />
        </p>
      ))}
    </div>
  );
}
