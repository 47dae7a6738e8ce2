import { signal } from '@preact/signals';
import { api, type Body } from '../shell/session';
import { type Kind, partsOf, type RuleData } from './draft';

export type Components = Body<'GET /v1/rule-builder/components'>;
export type Component = Components['triggers'][number];

/** The components of this installation, for their names in lists; read once. */
export const known = signal<Components | undefined>(undefined);

let reading = false;

export async function readComponents(): Promise<void> {
  if (reading || known.value) return;
  reading = true;
  const answer = await api('GET /v1/rule-builder/components');
  if (answer.ok) known.value = answer.body;
  reading = false;
}

export function componentOf(components: Components, kind: Kind, id: string): Component | undefined {
  return components[kind].find((component) => component.id === id);
}

/** A rule in a few words: `Order enters processing → Change status to completed`. */
export function inShort(components: Components | undefined, rule: RuleData): string {
  const parts = partsOf(rule);
  const labels = (kind: Kind) =>
    parts[kind].map(({ id }) => components?.[kind].find((one) => one.id === id)?.label ?? id);
  const [conditions, actions] = [labels('conditions'), [...labels('primaryActions'), ...labels('secondaryActions')]];
  return [
    ...labels('triggers'),
    ...(conditions.length > 0 ? [`if ${conditions.join(', ')}`] : []),
    `then ${actions.join(', ') || 'nothing'}`,
  ].join(' · ');
}
