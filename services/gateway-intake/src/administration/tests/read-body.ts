import { type Answer, newProcessId } from '@order-automation/contracts';
import { headerIn } from '../../gateways/generic/fields';
import { inspect } from '../../receiving/inspect';
import type { Parts } from '../parts';
import { requireTarget } from '../senders/secrets';
import { ownWebhook } from './test-send';

/** What a webhook with this body would be read as, by the sender's settings as they are. Nothing is proven, counted or stored. */
export const readBody: Answer<'intake.body.read.v1', Parts> = async (input, parts) => {
  requireTarget(parts, input);
  const { gateway: name, body, type } = input;
  const address = parts.router.adapterFor(name)
    ? { gateway: name, connection: null }
    : { gateway: 'generic', connection: name };
  const now = parts.clock.now();
  const media = /^\s*[[{]/.test(body) ? 'application/json' : 'application/x-www-form-urlencoded';
  const header = headerIn(parts.connections.byName(name)?.paths.type);
  const headers = { 'content-type': [media], ...(header && type && { [header]: [type] }) };
  const sent = { headers, body: Buffer.from(body) };
  const webhook = ownWebhook({ ...address, process_id: newProcessId(now) }, sent, now);
  const inspection = await inspect(parts, webhook, { now, vouched: 'import' });
  if (inspection.kind === 'refused') return { events: [], refused: inspection.refusal.text };
  return { events: [...inspection.events], refused: null };
};
