import { retryOf } from '@order-automation/bus';
import { type FieldChange, type RequestInput, type RequestOutput, ServiceError } from '@order-automation/contracts';
import { heardTasks } from '../attempts/follow-ups';
import { run } from '../run';
import { type Task, taskOfEvent } from '../task';
import { type Collected, dryPorts, type SimulateDeps } from './dry-ports';

type Input = RequestInput<'evaluation.event.simulate.v1'>;
type Output = RequestOutput<'evaluation.event.simulate.v1'>;

/**
 * Evaluates events as if they had come, with the code that evaluates those that come, on ports that write nothing; then what their changes of the order
 * set off, as production does. 503 `svc_unavailable` while the shop cannot say.
 */
export async function simulateEvents({ process_id, events, webhook }: Input, deps: SimulateDeps): Promise<Output> {
  const { ports, collected } = dryPorts(deps);
  const tasks: Task[] = events.map((event) => taskOfEvent({ process_id, event, webhook }));
  try {
    for (let task = tasks.shift(); task; task = tasks.shift()) {
      const before = collected.documents.length;
      await run(task, ports);
      for (const { changes } of collected.documents.slice(before)) tasks.push(...heardTasks(changes, deps.rules));
    }
  } catch (error) {
    if (retryOf(error) !== 'later') throw error;
    throw new ServiceError(503, 'svc_unavailable', 'The shop cannot say now what would happen. Please try again.');
  }
  return { simulated: simulatedOf(collected) };
}

function simulatedOf({ documents, entries, targets }: Collected): Output['simulated'] {
  const steps = documents.flatMap((document) => document.steps);
  const actions = steps.flatMap((step) => step.actions.map((action) => ({ step, action })));
  return {
    outcome: documents[0]?.outcome ?? 'no_order',
    reason: entries.find(({ uid }) => uid === `${documents[0]?._id}:outcome`)?.summary ?? '',
    rules: steps.map(({ rule_id, rule_name, rule_version, matched, shadow }) => ({
      rule_id,
      rule_name,
      rule_version,
      matched,
      ...(shadow ? { shadow: true } : {}),
    })),
    entries: entries.map(({ uid: _, email: _email, ...entry }) => entry),
    changes: joined(actions.flatMap(({ action: { result } }) => (result?.status === 'applied' ? result.changes : []))),
    effects: actions.map(({ step, action: { key, effect, id, label, result, message } }) => ({
      kind: effect.kind,
      rule_id: step.rule_id,
      rule_name: step.rule_name,
      action_id: id,
      label,
      target: targets.get(key) ?? null,
      status: result?.status ?? 'skipped',
      message: result?.message ?? message,
    })),
  };
}

/** Of each field from where to where, over all steps; what is only added, as notes are, stays apart. */
function joined(changes: readonly FieldChange[]): FieldChange[] {
  const all: FieldChange[] = [];
  for (const change of changes) {
    const at = all.findIndex(({ field, to }) => field === change.field && change.from !== null && to === change.from);
    const before = all[at];
    if (before) all[at] = { ...before, to: change.to };
    else all.push(change);
  }
  return all;
}
