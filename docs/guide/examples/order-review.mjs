// Components of your own: orders that are shipped elsewhere than they are billed get a look by a person.

/** Fires when a gateway reports that a dispute was lost. */
const disputeLost = {
  id: 'dispute_lost',
  label: 'Dispute lost',
  description: 'Fires when a gateway reports that a dispute about the payment was lost.',
  schema: { type: 'object', properties: {}, additionalProperties: false },
  listensTo: () => [{ type: 'dispute_lost' }],
  fires: () => 'fires when a dispute about the payment is lost',
};

const countries = ({ order }) => {
  const from = order.billing.country;
  return { from, to: order.shipping.country || from };
};

const shipsAbroad = {
  id: 'ships_abroad',
  label: 'Ships to another country',
  description: 'Passes when the order is shipped to another country than the one it is billed in.',
  schema: {
    type: 'object',
    properties: {
      except: {
        type: 'array',
        title: 'Except',
        description: 'Countries that count as home, as two letters.',
        items: { type: 'string', pattern: '^[A-Z]{2}$' },
        default: [],
      },
    },
    additionalProperties: false,
  },
  compile: ({ except = [] }) => {
    const home = new Set(except);
    return ({ context }) => {
      const { from, to } = countries(context);
      const pass = from !== to && !home.has(to);
      const reason = `the order is billed in ${from} and shipped to ${to}, the rule ${pass ? 'wants' : 'needs'} another country`;
      return { pass, expected: `not ${[from, ...home].join(', ')}`, actual: to, reason };
    };
  },
};

const requestReview = {
  id: 'request_review',
  label: 'Request a review',
  description: 'Adds a note that asks a person to look at the order.',
  schema: {
    type: 'object',
    properties: {
      reviewer: { type: 'string', title: 'Reviewer', description: 'Whom the note asks.', minLength: 1, maxLength: 100 },
    },
    required: ['reviewer'],
    additionalProperties: false,
  },
  compile:
    ({ reviewer }) =>
    ({ context, rule }) => {
      const { from, to } = countries(context);
      const note = `${reviewer}, please review: billed in ${from}, shipped to ${to} (rule "${rule.name}").`;
      return {
        effect: { kind: 'order', command: { kind: 'add_note', note, customer_note: false } },
        describe: { message: `ask ${reviewer} to review the order` },
      };
    },
};

export const register_components = (registry) => {
  registry.registerTrigger(disputeLost);
  registry.registerCondition(shipsAbroad);
  registry.registerSecondaryAction(requestReview);
};
