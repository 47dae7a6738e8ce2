import type { Command } from 'commander';
import { type Context, show } from '../context';
import { plain, stepLines } from '../output';
import { wholeNumber } from '../values';

/** `why ORDER`: one sentence, and the entries that it rests on. */
export function addWhy(program: Command, context: Context): void {
  program
    .command('why')
    .argument('<order>', 'order id')
    .description('say in one sentence why an order is where it is, with the entries of the log that show it')
    .action(async (order: string) => {
      const params = { order_id: wholeNumber(order, 'the order') };
      const answer = await context.api().call('GET /pro/v1/debug-rule/why/{order_id}', { params });
      show(context, answer, () => {
        const { sentence, advice, entries } = answer.data;
        const steps = entries.length > 0 ? `\n${stepLines(entries)}` : '';
        return `${plain(sentence)}\n${advice === null ? '' : `${plain(advice)}\n`}${steps}`;
      });
    });
}
