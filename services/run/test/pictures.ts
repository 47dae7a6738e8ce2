import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { pay, type Running, settled, signIn, startConsole, visitor } from './console-browser';

/** Each picture by the name of its file. */
const pictures: Record<string, (page: Page, running: Running) => Promise<void>> = {
  overview: (page, { base }) => open(page, `${base}/`),
  rule: async (page, running) => {
    const { rule } = await running.call<{ rule: { id: number } }>('POST', '/v1/rules', {
      name: 'Complete large orders from Germany',
      rule: {
        trigger: { id: 'payment_complete', settings: {} },
        conditions: [
          { id: 'order_total', settings: { operator: 'gte', amount: 20 } },
          { id: 'country', settings: { address: 'billing', countries: ['DE'] } },
        ],
        primaryAction: { id: 'change_status_to_completed', settings: {} },
        secondaryActions: [{ id: 'add_order_note', settings: { note_text: 'Paid: {{order.total}}' } }],
      },
    });
    await open(page, `${running.base}/rules/${rule.id}?order=1004`);
    await page.getByText('It would not match', { exact: true }).waitFor();
  },
  sender: async (page, { base }) => {
    await open(page, `${base}/connections`);
    await page.getByRole('link', { name: 'Connect a sender' }).first().click();
    await page.getByLabel('Search for your gateway, shop or service').fill('paystack');
    await page.getByText('1 sender').waitFor();
    await page
      .getByRole('link', { name: /Paystack/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Create the address' }).click();
    await page.getByText('Paste the address shown here as the webhook URL.').waitFor();
  },
  story: async (page, running) => open(page, `${running.base}/log/${await pay(running, 1004, 2_900, 'usd')}`),
};

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await settled(page);
}

/** What a shop looks like after some payments: paid, of another amount, in another currency, too small for the rule. */
async function payments(running: Running): Promise<void> {
  for (const [order, minor, currency] of [
    [1002, 4_500, 'eur'],
    [1003, 999, 'usd'],
    [1006, 17_375, 'kwd'],
  ] as const)
    await pay(running, order, minor, currency);
}

/** Takes each picture at 1200 x 800 and writes it into the folder. */
export async function makePictures(folder: string): Promise<void> {
  const running = await startConsole();
  try {
    const somebody = await visitor(running, { width: 1200 });
    await signIn(running, somebody);
    await payments(running);
    for (const [name, show] of Object.entries(pictures)) {
      await show(somebody.page, running);
      const clip = { x: 0, y: 0, width: 1200, height: 800 };
      writeFileSync(join(folder, `${name}.png`), await somebody.page.screenshot({ clip }));
    }
  } finally {
    await running.close();
  }
}
