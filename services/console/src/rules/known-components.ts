import { signal } from '@preact/signals';
import { api } from '../shell/session';
import type { Components } from './components';

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
