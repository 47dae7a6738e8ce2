import { refusal, type Success } from '../api';
import type { Commands } from '../commands';
import { show } from '../context';
import { exitCodes } from '../failure';
import { facts, plain, shortTime, table } from '../output';

type Health = Success<'GET /v1/webhooks/health'>;

/** `health`: whether webhooks can be taken, and what each gateway lacks. */
export const health: Commands = {
  health: async (_: unknown, context) => {
    const { status, body } = await context.api().client('GET /v1/webhooks/health');
    // 503 is the answer of a service that takes no webhooks, and of an edge that cannot ask.
    if (!('adapters' in body)) throw refusal(status, body);
    const answer = body as Health;
    if (answer.status !== 'healthy') context.exit(exitCodes.no);
    show(context, answer, () => textOf(answer));
  },
};

/** An older service gives no warnings. */
function textOf({ status, version, timestamp, adapters, warnings = [] }: Health): string {
  const gateways = table(adapters, {
    GATEWAY: 'gateway',
    STATUS: 'status',
    'LAST EVENT': ({ last_event_at }) => shortTime(last_event_at),
    REASON: ({ reason }) => reason ?? '',
  });
  const notes = warnings.map(({ text }) => `\n! ${plain(text)}`).join('');
  return `${facts({ status, version, time: shortTime(timestamp) })}\n${gateways}${notes}${notes === '' ? '' : '\n'}`;
}
