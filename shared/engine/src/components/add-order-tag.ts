import { secondaryAction } from '../component';
import { placeholderList, placeholderViolations, template } from '../placeholders';
import { settingsOf, text } from '../settings-schema';

type AddOrderTagSettings = { tag: string };

const longestTag = 100;

/** Labels for people and for the list of orders; an order that has the tag keeps it once. */
export const addOrderTag = secondaryAction<AddOrderTagSettings>({
  id: 'add_order_tag',
  label: 'Add order tag',
  description: 'Adds a tag to the order.',
  edition: 'extended',
  schema: settingsOf({ tag: text('Tag', `The tag. Placeholders: ${placeholderList}`, longestTag) }),
  violations: ({ tag }) =>
    tag.trim() === '' ? [{ path: 'tag', message: 'must not be empty' }] : placeholderViolations('tag', tag),
  normalise: ({ tag }) => ({ tag: tag.trim() }),
  compile: ({ tag }) => {
    const render = template(tag);
    return (situation) => {
      const to = render(situation).replace(/\s+/g, ' ').trim().slice(0, longestTag);
      const has = situation.context.order.tags?.includes(to) ?? false;
      return {
        effect: { kind: 'order', command: { kind: 'add_tag', tag: to } },
        describe: has
          ? { message: `the order has the tag ${to} already`, changes: [] }
          : { message: `add the tag ${to}`, changes: [{ field: 'tags', from: null, to }] },
      };
    };
  },
});
