import { secondaryAction } from '../component';
import { placeholderList, placeholderViolations, template } from '../placeholders';
import { settingsOf, text } from '../settings-schema';

type SetOrderMetaSettings = { key: string; value: string };

/** Fields whose key begins with an underscore belong to the shop: its payment ids, stock marks and our tags are among them. */
export const setOrderMeta = secondaryAction<SetOrderMetaSettings>({
  id: 'set_order_meta',
  label: 'Set order field',
  description: 'Sets a custom field (meta data) of the order.',
  edition: 'extended',
  schema: settingsOf({
    key: text('Key', 'The key of the field; it must not begin with an underscore.', 200, {
      pattern: '^[^_\\s$.][^$.]*$',
      'x-pattern-message': 'must not begin with an underscore or white space, and must not have $ or a full stop',
    }),
    value: {
      type: 'string',
      title: 'Value',
      description: `The text of the field. Placeholders: ${placeholderList}`,
      maxLength: 5000,
    },
  }),
  violations: ({ value }) => placeholderViolations('value', value),
  compile: ({ key, value }) => {
    const render = template(value);
    return (situation) => {
      const to = render(situation);
      const from = situation.context.order.meta_data.find((meta) => meta.key === key)?.value ?? null;
      const changes = from === to ? [] : [{ field: `meta_data.${key}`, from, to }];
      return {
        effect: { kind: 'order', command: { kind: 'set_meta', key, value: to } },
        describe: { message: `set the field ${key} to "${to}"`, changes },
      };
    };
  },
});
