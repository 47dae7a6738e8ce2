import type { Commands } from '../commands';
import { show } from '../context';
import { exitCodes } from '../failure';
import { counted, plain } from '../output';

export const money: Commands = {
  money: 'orders and the money that was paid for them',
  'money list': {
    isDefault: true,
    run: async (_given, context) => {
      const answer = await context.api().call('GET /v1/money');
      if (answer.total > 0) context.exit(exitCodes.no);
      show(context, answer, () => {
        if (answer.total === 0) return 'No order disagrees with its money.\n';
        const lines = answer.findings.map(({ text, cure }) => `  ${plain(text)} ${cure}\n`);
        return `${counted(answer.total, 'order')} to look at:\n${lines.join('')}`;
      });
    },
  },
  'money check': async (_given, context) => {
    const answer = await context.api().call('POST /v1/money/check');
    const said = answer.started ? 'Checking all orders' : 'A check of all orders is running';
    show(context, answer, () => `${said}: orderctl money lists what it finds.\n`);
  },
};
