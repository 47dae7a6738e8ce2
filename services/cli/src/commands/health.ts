import type { Command } from 'commander';
import { type Context, show } from '../context';
import { exitCodes } from '../failure';
import { facts, plain, shortTime, table } from '../output';

/** `health`: whether webhooks can be taken, and what each gateway lacks. */
export function addHealth(program: Command, context: Context): void {
  program
    .command('health')
    .description('say whether webhooks can be taken, and the state of each gateway (exit code 1 when they cannot)')
    .action(async () => {
      const response = await context.api().fetch('/v1/webhooks/health', {}, [503]);
      const health = (await response.json()) as Health;
      if (health.status !== 'healthy') context.exit(exitCodes.no);
      show(context, health, () => textOf(health));
    });
}

type Health = {
  readonly status: string;
  readonly version: string;
  readonly timestamp: string;
  readonly adapters: readonly {
    readonly gateway: string;
    readonly status: string;
    readonly reason: string | null;
    readonly last_event_at: string | null;
  }[];
  /** Absent from an older service. */
  readonly warnings?: readonly { readonly text: string }[];
};

function textOf({ status, version, timestamp, adapters, warnings = [] }: Health): string {
  const gateways = table(adapters, [
    ['GATEWAY', 'gateway'],
    ['STATUS', 'status'],
    ['LAST EVENT', ({ last_event_at }) => shortTime(last_event_at)],
    ['REASON', ({ reason }) => reason ?? ''],
  ]);
  return `${facts([
    ['status', status],
    ['version', version],
    ['time', shortTime(timestamp)],
  ])}\n${gateways}${warnings.map(({ text }) => `\n! ${plain(text)}`).join('')}${warnings.length > 0 ? '\n' : ''}`;
}
