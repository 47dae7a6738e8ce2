import type { Commands } from '../commands';
import { show } from '../context';
import { facts, shortTime } from '../output';

/** `licence`: what an installation is licensed for; the vendor makes licences with `deploy/licence.mjs`. */
export const licence: Commands = {
  licence: 'the licence of an installation',
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
};
