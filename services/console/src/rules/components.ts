import { signal } from '@preact/signals';
import { api, type Body } from '../shell/session';
import { type Kind, kinds } from './draft';

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

export function labelIn(components: Components | undefined): (id: string) => string | undefined {
  const all = components ? kinds.flatMap((kind) => components[kind]) : [];
  return (id) => all.find((one) => one.id === id)?.label;
}
