import type { OrderStep, StepResult } from '@order-automation/contracts';
import type { ContractShop } from './connector-contract';
import { applySteps, step, view } from './shop';

type Contract = { readonly shop: () => ContractShop; newOrder(fields?: Record<string, unknown>): Promise<number> };

const toCompleted = { kind: 'set_status', status: 'completed', send_emails: false, update_stock: false } as const;
const text = { kind: 'add_note', note: 'looked at', customer_note: false } as const;
const tag = { kind: 'add_tag', tag: 'vip' } as const;
const size = { kind: 'set_meta', key: 'size', value: 'L' } as const;

/** What a person reads of a step: its actions and the order after it. */
function summaryOf(answer: StepResult | undefined) {
  if (answer?.kind !== 'applied') return { kind: answer?.kind };
  const { results, context } = answer;
  const { status, tags, meta_data } = context.order;
  return {
    results: results.map(({ status: done, message, changes }) => ({
      done,
      message,
      // The moment differs.
      changes: changes.map((change) => (change.field.startsWith('date_') ? change.field : change)),
    })),
    order: { status, tags, size: meta_data.find(({ key }) => key === 'size')?.value },
  };
}

/** What every connector owes those who ask what a step would do (section 2.7 of the specification). */
export function previewContract({ shop, newOrder }: Contract): void {
  const preview = async (...steps: OrderStep[]) =>
    (await shop().deps.bus.request('shop.order.preview.v1', { steps })).result as StepResult;

  test('a preview says what the step then does, and changes nothing', async () => {
    const id = await newOrder();
    const before = await view(shop().deps.bus, id);
    const wanted = step(`preview-${id}`, id, null, toCompleted, text, tag, size);
    const previewed = await preview(wanted);
    expect(await view(shop().deps.bus, id)).toEqual(before);
    const [done] = await applySteps(shop().deps.bus, [wanted]);
    expect(summaryOf(previewed)).toMatchObject({ order: { status: 'completed', tags: ['vip'], size: 'L' } });
    expect(summaryOf(previewed)).toEqual(summaryOf(done));
  });

  test('a preview of steps of which one follows the other is that of the last', async () => {
    const id = await newOrder();
    const steps = [step(`one-${id}`, id, null, toCompleted), step(`two-${id}`, id, null, toCompleted, tag)];
    expect(summaryOf(await preview(...steps))).toMatchObject({
      results: [{ done: 'unchanged' }, { done: 'applied' }],
      order: { status: 'completed', tags: ['vip'] },
    });
  });

  test('a preview of another revision is stale, and of an unknown order missing', async () => {
    const id = await newOrder();
    expect(await preview(step(`old-${id}`, id, 'another', tag))).toMatchObject({ kind: 'stale' });
    expect(await preview(step(`none-${id}`, 999_999, null, tag))).toEqual({ kind: 'missing' });
  });
}
