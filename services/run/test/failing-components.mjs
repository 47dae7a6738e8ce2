// Components that fail, for tests of what is said about failures.

const schema = { type: 'object', properties: {}, additionalProperties: false };

const breaks = {
  id: 'breaks',
  label: 'Breaks',
  description: 'Cannot be evaluated.',
  schema,
  compile: () => () => {
    throw new Error('broken on purpose');
  },
};

const nowhere = {
  id: 'move_nowhere',
  label: 'Move nowhere',
  description: 'Sets a status that the shop does not have.',
  schema,
  compile: () => () => ({
    effect: {
      kind: 'order',
      command: { kind: 'set_status', status: 'nowhere', send_emails: false, update_stock: false },
    },
    describe: { message: 'set the status nowhere' },
  }),
};

export function register_components(registrar) {
  registrar.registerCondition(breaks);
  registrar.registerSecondaryAction(nowhere);
}
