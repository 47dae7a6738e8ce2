import type { Commands } from '../commands';
import { show } from '../context';
import { facts, shortTime } from '../output';

type Issue = { key: string; licensee: string; expires?: string; features: string };

/** `licence`: what an installation is licensed for; keys and licences are made by the vendor, without an installation. */
export const licence: Commands = {
  licence: 'the licence of an installation; keys and licences of the vendor',
  'licence show': {
    about: 'say what the installation is licensed for',
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
  'licence new-key': {
    about:
      'make a key pair: licence-private-key.json stays with the vendor, licence-keys.json is for LICENCE_PUBLIC_KEYS_FILE',
    takes: { '<directory>': 'where the two files go' },
    run: async ({ directory }: { directory: string }, { terminal }) => {
      const { writeNewKey } = await import('@order-automation/api-gateway/licence-tool');
      terminal.write(await writeNewKey(directory));
    },
  },
  'licence issue': {
    about: 'print a signed licence of the extended edition for LICENCE_KEY',
    needs: { '--key <file>': 'licence-private-key.json', '--licensee <name>': 'whom it is for' },
    options: {
      '--expires <date>': 'such as 2027-12-31; without it the licence does not expire',
      '--features <list>': ['separated by commas', 'rule_debugging'],
    },
    run: async (options: Issue, { terminal }) => {
      const { licenceText } = await import('@order-automation/api-gateway/licence-tool');
      terminal.write(await licenceText(options));
    },
  },
};
