import { type Answer, newId } from '@order-automation/contracts';
import { resultOf } from './apply-steps';
import { appliedStep, applyStep } from './order-step';
import type { BuiltinParts } from './parts';

/** All that a preview has: readers. */
export type PreviewDeps = {
  readonly orders: Pick<BuiltinParts['orders'], 'byIds'>;
  readonly appliedCommands: Pick<BuiltinParts['appliedCommands'], 'find'>;
  readonly facts: Pick<BuiltinParts['facts'], 'contexts'>;
  readonly site: Pick<BuiltinParts['site'], 'statuses'>;
  readonly clock: BuiltinParts['clock'];
};

const noNote = 0;

/** What the last of these steps of one order would do after those before it, by the code that carries steps out. */
export const previewSteps: Answer<'shop.order.preview.v1', PreviewDeps> = async ({ steps }, deps) => {
  const last = steps.at(-1);
  const [stored] = last ? await deps.orders.byIds([last.order_id]) : [];
  if (!last || !stored) return { result: { kind: 'missing' } };
  const [archived, statuses] = await Promise.all([deps.appliedCommands.find(steps), deps.site.statuses()]);
  const now = deps.clock.now();
  const by = newId('req', now);
  const after = steps
    .filter(({ key }) => !archived.has(key))
    .reduce((document, step) => applyStep(document, { step, now, by, statuses, noteId: noNote }), stored);
  const [context] = await deps.facts.contexts([after]);
  if (!context) return { result: { kind: 'missing' } };
  const applied = appliedStep(after, last.key) ?? archived.get(last.key);
  if (!applied) return { result: { kind: 'stale', context } };
  return { result: resultOf(last, applied, after, context, applied.by === by) };
};
