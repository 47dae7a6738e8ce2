import type { Command } from 'commander';
import { type Context, show } from '../context';
import { plain, shortTime } from '../output';
import { wholeNumber } from '../values';

type Entry = { readonly timestamp: string; readonly status: string; readonly summary: string };
type Why = {
  readonly data: { readonly sentence: string; readonly advice: string | null; readonly entries: readonly Entry[] };
};

/** `why ORDER`: one sentence, and the entries that it rests on. */
export function addWhy(program: Command, context: Context): void {
  program
    .command('why')
    .argument('<order>', 'order id')
    .description('say in one sentence why an order is where it is, with the entries of the log that show it')
    .action(async (order: string) => {
      const response = await context.api().fetch(`/pro/v1/debug-rule/why/${wholeNumber(order, 'the order')}`);
      const answer = (await response.json()) as Why;
      show(context, answer, () => {
        const { sentence, advice, entries } = answer.data;
        const lines = entries.map(
          ({ timestamp, status, summary }) => `  ${shortTime(timestamp)}  ${status.padEnd(8)} ${plain(summary)}\n`,
        );
        return `${plain(sentence)}\n${advice === null ? '' : `${plain(advice)}\n`}${lines.length > 0 ? `\n${lines.join('')}` : ''}`;
      });
    });
}
