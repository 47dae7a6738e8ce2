import type { GenericType } from '@order-automation/contracts';
import { type Trigger, trigger } from './component';
import { noSettings } from './settings-schema';

type Named = Pick<Trigger, 'id' | 'label' | 'priority'> & {
  /** What happens, as in "a dispute is opened for an order". */
  readonly when: string;
  readonly types: readonly GenericType[];
};

/** A trigger of the extended edition that fires on events of gateways, whichever gateway sent them. */
export function eventTrigger({ when, types, ...named }: Named): Trigger {
  return trigger({
    ...named,
    description: `Fires when ${when}.`,
    edition: 'extended',
    schema: noSettings,
    listensTo: () => types.map((type) => ({ type })),
    fires: () => `fires when ${when}`,
  });
}
