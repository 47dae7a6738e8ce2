import type { Commands } from '../commands';
import { show } from '../context';
import { facts, shortTime } from '../output';

type Issue = { key: string; licensee: string; expires?: string; features: string };

/** `licence`: what an installation is licensed for; keys and licences are made by the vendor, without an installation. */
export const licence: Commands = {
  licence: 'the licence of an installation; keys and licences of the vendor',
  'licence show': {
    isDefault: true,
    run: async (_: unknown, context) => {
      const answer = await context.api().call('GET /pro/v1/licence');
      show(context, answer, () =>
        facts({
          edition: answer.edition,
          licensee: answer.licensee,
          features: answer.features.join(', '),
          expires: shortTime(answer.expires_at),
          note: answer.message,
        }),
      );
    },
  },
  'licence new-key': async ({ directory }: { directory: string }, { terminal }) => {
    const { writeNewKey } = await import('@order-automation/api-gateway/licence-tool');
    terminal.write(await writeNewKey(directory));
  },
  'licence issue': async (options: Issue, { terminal }) => {
    const { licenceText } = await import('@order-automation/api-gateway/licence-tool');
    terminal.write(await licenceText(options));
  },
};
