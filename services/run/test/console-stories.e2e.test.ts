import { readFileSync } from 'node:fs';
import { waitFor } from '@order-automation/testing';
import type { Page } from 'playwright-core';
import {
  administrator,
  describeConsole,
  faultsOf,
  patiently,
  pay,
  post,
  type Running,
  settled,
  signIn,
  type Visitor,
  visitor,
} from './console-browser';

jest.setTimeout(240_000);

/** What an administrator does with the console, from beginning to end. */
describeConsole('an administrator', (start) => {
  let running: Running;
  let admin: Visitor;
  let page: Page;
  beforeAll(async () => {
    running = await start();
    admin = await administrator(running);
    page = admin.page;
  });
  afterAll(() => running.close());
  /** Browsers say so of every answer that refuses; these stories meet refusals on purpose. */
  const refusal = /the server responded with a status of (400|404|412)/;
  afterEach(() => expect(admin.complaints.splice(0).filter((text) => !refusal.test(text))).toEqual([]));

  /** Finds a component by its name, and takes it with the keyboard. */
  const choose = async (list: string, name: string) => {
    await page.getByRole('combobox', { name: list, exact: true }).fill(name);
    await page
      .getByRole('option', { name: new RegExp(`^${name}`) })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
  };

  test('presses for a first webhook, and reads its story', async () => {
    await page.getByRole('button', { name: 'Send a test payment' }).click();
    await page.getByRole('link', { name: 'See what happened' }).click();
    await page
      .getByRole('heading', { name: /^Rule |did not match$/ })
      .first()
      .waitFor();
    await settled(page);
    expect(await faultsOf(page)).toEqual([]);
  });

  test('reads why order 1006 did not move: in the log, and on the order', async () => {
    await pay(running, 1006, 17_375, 'kwd');
    await page.goto(`${running.base}/log`);
    await page.getByRole('link', { name: /for order 1006 → 1 rule looked at it, none matched/ }).click();
    const story = page.getByRole('list').filter({ hasText: 'Received and verified' });
    await story.getByRole('row', { name: /Order total Failed at least 20.000 17.375/ }).waitFor();
    await page.getByText('Payload and headers').click();
    await page.getByText(/"type": "payment_intent.succeeded"/).waitFor();
    await page.getByRole('link', { name: 'Order 1006', exact: true }).click();
    await page
      .getByText(/order total is 17.375, the rule needs at least 20.000/)
      .first()
      .waitFor();
    await page.getByText('Dalia Al-Mansour').waitFor();
  });

  test('reads what waits for an order that the shop does not have yet, and until when by the clocks of the shop', async () => {
    await post(running, 999_999, 100, 'usd');
    const main = page.getByRole('main');
    await waitFor(async () => {
      await page.goto(`${running.base}/orders/999999`);
      await settled(page);
      return main.getByText(/an event has waited for it since/).isVisible();
    }, patiently);
    expect(await main.innerText()).not.toMatch(/\dT\d\d:/);
    await page.goto(`${running.base}/log`);
    await page.getByRole('link', { name: /^Payment intent succeeded: waiting for order 999999/ }).waitFor();
    expect(await main.innerText()).not.toMatch(/\dT\d\d:/);
  });

  test('opens an order by its number, as people know it', async () => {
    const order = { number: 'RE-2026-88', status: 'on-hold', currency: 'EUR', total: '12.00' };
    await running.call('PUT', '/v1/shop/orders/50088', order);
    await page.goto(`${running.base}/orders/RE-2026-88`);
    await page.getByRole('heading', { name: 'Order 50088' }).waitFor();
    expect(page.url()).toBe(`${running.base}/orders/50088`);
    await page.goto(`${running.base}/orders/RE-2026-89`);
    await page.getByText('The shop has no order with this id or number').waitFor();
    await settled(page);
    for (const id of [50090, 50091])
      await running.call('PUT', `/v1/shop/orders/${id}`, { ...order, number: 'RE-2026-90' });
    await page.goto(`${running.base}/orders/RE-2026-90`);
    await page.getByRole('link', { name: 'Order 50090' }).waitFor();
    await page.getByRole('link', { name: 'Order 50091' }).click();
    await page.getByRole('heading', { name: 'Order 50091' }).waitFor();
    // WCAG 2.2, success criterion 3.2.5: a change of context is what the reader asked for, not what was found late.
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/v1/shop/order-numbers?number=*', async (route) => {
      await held;
      await route.continue();
    });
    const asked = page.waitForRequest(/order-numbers\?number=/);
    await page.goto(`${running.base}/orders/RE-2026-88`);
    await asked;
    await page.getByRole('link', { name: 'Log', exact: true }).click();
    await page.getByRole('heading', { name: 'Log', exact: true }).waitFor();
    const found = page.waitForResponse(/order-numbers\?number=/);
    release();
    await found;
    await page.unroute('**/v1/shop/order-numbers?number=*');
    await settled(page);
    expect(page.url()).toBe(`${running.base}/log`);
  });

  test('finds an order by the e-mail address of its customer, which never stands in the address', async () => {
    await page.goto(`${running.base}/log`);
    await settled(page);
    await page.keyboard.press('/');
    await page.getByLabel('An order, e-mail address').fill('dalia.almansour@example.com');
    await page.getByRole('button', { name: /Order 1006/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Order 1006' }).waitFor();
    expect(page.url()).toBe(`${running.base}/orders/1006`);
    await page.goto(`${running.base}/log`);
    await page.getByLabel(/Words/).fill('nobody@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('No entry matches these filters').waitFor();
    expect(page.url()).toBe(`${running.base}/log`);
  });

  test('filters the log, shares the address, saves the filter and exports what it shows', async () => {
    await page.goto(`${running.base}/log?view=flat`);
    await page.getByText('Outcome ', { exact: false }).first().click();
    await page.getByLabel('Skipped').check();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('1 to 1 of 1').waitFor();
    expect(page.url()).toContain('status=skipped');
    await page.reload();
    await page.getByText('1 to 1 of 1').waitFor();
    await page.getByText('Export', { exact: true }).click();
    const downloaded = page.waitForEvent('download');
    await page.getByRole('link', { name: 'All entries as CSV' }).click();
    const lines = readFileSync(await (await downloaded).path(), 'utf8')
      .trim()
      .split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('did not match');
    await page.getByText('Saved views').click();
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.getByLabel('Name', { exact: true }).fill('What did not match');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    // The menu has closed, and its head has the focus again.
    await page.locator('summary:focus', { hasText: 'Saved views' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'What did not match' }).click();
    await page.getByText('1 to 1 of 1').waitFor();
    expect(page.url()).toMatch(/\?filter=[\w-]+$/);
  });

  test('follows the log live, and pauses it', async () => {
    await page.goto(`${running.base}/log`);
    const answered = page.waitForResponse(/audit-log\/stream/);
    await page.getByRole('button', { name: 'Follow live' }).click();
    await answered;
    await pay(running, 1010, 1_300, 'eur');
    await page.getByRole('link', { name: /Order 1010: a payment completed while/ }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await pay(running, 1010, 1_300, 'eur');
    await page.getByRole('button', { name: /Resume \(\d+ new\)/ }).click();
    await page.getByRole('button', { name: 'Stop following' }).click();
  });

  test('builds a rule with three conditions from nothing, tries it, enables it, and sees it act', async () => {
    await page.goto(`${running.base}/rules`);
    await page.getByRole('link', { name: 'New rule' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Note on German coffee');
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText(/trigger/i)
      .first()
      .waitFor();
    await choose('Trigger', 'Order enters processing');
    await choose('Add a condition', 'Order total');
    await page.getByLabel('Operator').selectOption({ label: 'is between' });
    await page.getByLabel('Amount', { exact: true }).fill('1');
    await choose('Add a condition', 'Country');
    await page.getByLabel('Countries').fill('germ');
    await page.getByRole('option', { name: 'Germany' }).click();
    await choose('Add a condition', 'Order status');
    // The demonstration's rule completes the order before this one looks at it.
    for (const status of ['hold', 'compl']) {
      await page.getByLabel('Statuses').fill(status);
      const suggestions = page.getByRole('listbox', { name: 'Suggestions' });
      await suggestions.getByRole('option', { name: new RegExp(status, 'i') }).click();
    }
    await choose('Add an action', 'Add order note');
    await page.getByLabel('Note', { exact: true }).fill('Paid from Germany: ');
    await page.getByText('Insert a placeholder').click();
    await page.getByRole('button', { name: 'order.total' }).click();

    await page.getByRole('button', { name: 'Save' }).click();
    const missing = page.locator('.field', { hasText: 'Amount to' }).getByText('Enter the amount to.');
    await missing.waitFor();
    await page.getByLabel('Amount to').fill('1000');
    expect(await missing.count()).toBe(0);
    await page.getByRole('combobox', { name: 'An order by number' }).fill('1007');
    await page.getByRole('option', { name: /Order 1007/ }).click();
    await page.getByText('It would match', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/\/rules\/\d+/);
    await page.getByRole('button', { name: /^Enable/ }).click();
    await page.getByText('is enabled and runs from now on').waitFor();

    const process = await pay(running, 1007, 44_900, 'eur');
    await page.goto(`${running.base}/log/${process}`);
    await page.getByText('Paid from Germany: 449.00').first().waitFor();
  });

  test('says the rule as a sentence, in its head and in the list', async () => {
    const sentence =
      /When an order enters processing · if total is between 1.00 and 1000.00 and billing country is Germany and order status is .* · add a note/;
    await page.goto(`${running.base}/rules`);
    await page.getByText(sentence).waitFor();
    await page.getByRole('link', { name: 'Note on German coffee' }).click();
    await page.getByText(sentence).waitFor();
  });

  test('draws the rule as a picture, whose parts have their verdicts and lead to their fields', async () => {
    const picture = page.getByRole('navigation', { name: 'The rule as a picture' });
    await page.getByRole('combobox', { name: 'An order by number' }).fill('1004');
    await page.getByRole('option', { name: /Order 1004/ }).click();
    await picture.getByRole('button', { name: 'Billing country is Germany Fails' }).waitFor();
    await picture.getByRole('button', { name: /^Total is between 1.00 and 1000.00 / }).click();
    expect(await page.evaluate<string>('document.activeElement.labels[0].innerText')).toContain('Operator');
    await picture.getByRole('button', { name: 'Add a note' }).click();
    expect(await page.evaluate<string>('document.activeElement.value')).toContain('Paid from Germany');
    expect(await faultsOf(page)).toEqual([]);
  });

  test('typing in the search for conditions adds none until one is taken', async () => {
    const conditions = page
      .locator('section', { hasText: 'If all of these are true' })
      .getByRole('heading', { level: 3 });
    const before = await conditions.count();
    expect(before).toBe(3);
    const search = page.getByRole('combobox', { name: 'Add a condition', exact: true });
    await search.click();
    // The whole list stands in groups; what was searched for stands with the best first.
    const groups = page.locator('[role=listbox]:visible > [role=presentation]');
    await groups.first().waitFor();
    expect(await groups.allInnerTexts()).toEqual(['Order', 'Products', 'Customer', 'Event and time']);
    expect(await faultsOf(page)).toEqual([]);
    await search.pressSequentially('coupon');
    await page.getByRole('option', { name: /^Coupon/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await conditions.count()).toBe(before);
  });

  test('a name that the shop does not have is warned of after the save; fields that are wrong are marked', async () => {
    await page.goto(`${running.base}/rules/new`);
    await page.getByLabel('Name', { exact: true }).fill('Paid by strpe');
    await page.getByPlaceholder('Trigger').click();
    await page.getByRole('option', { name: /^Order enters processing/ }).click();
    await page.getByPlaceholder('Add a condition').fill('Payment method');
    await page.getByRole('option', { name: /^Payment method/ }).click();
    await page.getByLabel('Methods').fill('strpe');
    await page.keyboard.press('Enter');
    await page.getByPlaceholder('Add an action').fill('note');
    await page.getByRole('option', { name: /^Add order note/ }).click();
    await page.getByLabel('Note', { exact: true }).fill('  ');
    const save = page.getByRole('button', { name: 'Save' });
    await save.click();
    await page.getByText('Check the marked fields.').waitFor();
    await page.getByText('Must not be empty').waitFor();
    // The pointer is on the button: what it says is still to be read.
    const background = await page.evaluate("getComputedStyle(document.querySelector('button.main')).backgroundColor");
    expect(background).toBe('rgb(31, 95, 191)');
    await page.getByLabel('Note', { exact: true }).fill('Thank you');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByText('Find', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await save.click();
    await page.getByText('names payment method strpe, which the shop does not list').waitFor();
    const { rules } = await running.call<{ rules: { id: number; name: string }[] }>('GET', '/v1/rules?search=strpe');
    await running.call('DELETE', `/v1/rules/${rules[0]?.id}`);
    admin.complaints.splice(0);
  });

  test('folds the rules that did not match: the story of thirteen rules is no wall', async () => {
    const rules: { rule_id: number }[] = [];
    for (let index = 0; index < 11; index += 1) {
      const rule = await running.call<{ rule_id: number }>('POST', '/v1/rules', {
        name: `Only above ${10_000 + index}`,
        enabled: true,
        rule: {
          trigger: { id: 'order_processing', settings: {} },
          conditions: [
            { id: 'order_total', settings: { operator: 'gt', amount: 10_000 + index } },
            { id: 'country', settings: { address: 'billing', countries: ['DE'] } },
          ],
          primaryAction: null,
          secondaryActions: [{ id: 'add_order_note', settings: { note_text: 'Large' } }],
        },
      });
      rules.push(rule);
    }
    const process = await pay(running, 1015, 3_400, 'eur');
    const wide = await visitor(running, { width: 1440 });
    await signIn(running, wide);
    await wide.page.goto(`${running.base}/log/${process}`);
    const folded = wide.page.getByRole('heading', { name: /^1\d rules did not match$/ });
    await folded.waitFor();
    await settled(wide.page);
    expect(await wide.page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThan(2_000);
    await folded.click();
    await wide.page
      .getByText(/Order total: needs more than 10000/)
      .first()
      .waitFor();
    expect(await faultsOf(wide.page)).toEqual([]);
    await wide.context.close();
    for (const { rule_id } of rules) await running.call('DELETE', `/v1/rules/${rule_id}`);
  });

  test('changes a rule, is asked before leaving, compares versions and restores one', async () => {
    await page.goto(`${running.base}/rules`);
    await page.getByRole('link', { name: 'Note on German coffee' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Another name');
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Another name' }).waitFor();
    await page.getByText('Changes since then').first().click();
    await page
      .getByText(/Note on German coffee/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Restore version 2' }).click();
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByRole('heading', { name: 'Note on German coffee' }).waitFor();
    await page.getByText(/Version 4, saved/).waitFor();
  });

  test('does not overwrite what somebody else saved meanwhile', async () => {
    const { rules } = await running.call<{ rules: { id: number; name: string }[] }>('GET', '/v1/rules?search=German');
    const id = rules[0]?.id;
    await page.goto(`${running.base}/rules/${id}`);
    await page.getByLabel('Name', { exact: true }).fill('Mine');
    await running.call('PUT', `/v1/rules/${id}`, { name: 'Theirs' });
    const refused = page.waitForResponse((answer) => answer.status() === 412);
    await page.getByRole('button', { name: 'Save' }).click();
    await refused;
    await page.getByText('Somebody saved this rule after you opened it.').waitFor();
    await page.getByRole('button', { name: 'Discard my changes and show theirs' }).click();
    await page.getByRole('heading', { name: 'Theirs' }).waitFor();
  });

  test('saves what was edited although somebody else moved and switched the rule meanwhile', async () => {
    const { rules } = await running.call<{ rules: { id: number; enabled: boolean }[] }>(
      'GET',
      '/v1/rules?search=Their',
    );
    const [{ id, enabled } = { id: 0, enabled: true }] = rules;
    await page.getByLabel('Name', { exact: true }).fill('Theirs too');
    await running.call('PUT', `/v1/rules/${id}`, { enabled: !enabled });
    const refused = page.waitForResponse((answer) => answer.status() === 412);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await refused;
    await page.getByRole('heading', { name: 'Theirs too' }).waitFor();
    expect(await running.call('GET', `/v1/rules/${id}`)).toMatchObject({ name: 'Theirs too', enabled: !enabled });
    await running.call('PUT', `/v1/rules/${id}`, { name: 'Theirs', enabled });
    await page.reload();
    await page.getByRole('heading', { name: 'Theirs', exact: true }).waitFor();
  });

  test('saves over what somebody else saved meanwhile when it is asked to, and keeps theirs as a version', async () => {
    const { rules } = await running.call<{ rules: { id: number; name: string }[] }>('GET', '/v1/rules?search=Theirs');
    const id = rules[0]?.id;
    await page.getByLabel('Name', { exact: true }).fill('Mine');
    await running.call('PUT', `/v1/rules/${id}`, { name: 'Their second' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await page.getByRole('heading', { name: 'Mine' }).waitFor();
    const { versions } = await running.call<{ versions: { name: string }[] }>('GET', `/v1/rules/${id}/versions`);
    expect(versions.slice(0, 2).map(({ name }) => name)).toEqual(['Mine', 'Their second']);
    await running.call('PUT', `/v1/rules/${id}`, { name: 'Theirs' });
    await page.reload();
    await page.getByRole('heading', { name: 'Theirs' }).waitFor();
  });

  test('puts rules into another order by keyboard, and reaches every control of the builder with Tab', async () => {
    await page.goto(`${running.base}/rules`);
    const up = page.getByRole('button', { name: 'Move Theirs up' });
    await up.focus();
    await page.keyboard.press('Enter');
    await page.getByText('“Theirs” is now number 1.').waitFor();
    await page.getByRole('link', { name: 'Theirs', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).focus();
    const controls = await page
      .locator('main :is(input, select, textarea, summary, button:enabled, a[href]):visible')
      .count();
    const seen = new Set<string>();
    for (let step = 0; step < controls * 2; step += 1) {
      seen.add(
        await page.evaluate<string>(
          '(() => { const all = [...document.querySelectorAll("main *")]; return String(all.indexOf(document.activeElement)); })()',
        ),
      );
      await page.keyboard.press('Tab');
    }
    seen.delete('-1');
    expect(seen.size).toBeGreaterThanOrEqual(controls);
  });

  test('imagines an event for an order, and tries a changed rule on past events', async () => {
    await pay(running, 1005, 1_900, 'eur');
    await page.goto(`${running.base}/debugger?order=1004`);
    const imagine = page.locator('section', { hasText: 'Simulate an event' });
    await imagine.getByLabel('Gateway').selectOption({ label: 'Card gateway' });
    await imagine.getByRole('button', { name: 'Simulate' }).click();
    await imagine
      .getByText(/^Payment of .* for order 1004/)
      .first()
      .waitFor();
    await imagine.getByText(/The log would have/).click();
    expect(await faultsOf(page)).toEqual([]);
    await imagine.getByLabel('Gateway').selectOption({ label: 'Wallet gateway' });
    await imagine.getByRole('button', { name: 'Simulate' }).click();
    await imagine.getByText(/The log would have/).waitFor();
    await imagine.getByLabel('Event', { exact: true }).selectOption({ label: 'Dispute opened' });
    // What another event would have done is no answer any more.
    expect(await imagine.getByText(/The log would have/).count()).toBe(0);
    await imagine.getByRole('button', { name: 'Simulate' }).click();
    await imagine
      .getByText(/^Dispute .*for order 1004/)
      .first()
      .waitFor();

    await page.goto(`${running.base}/rules/1`);
    const past = page.locator('section', { hasText: 'Test it on past events' });
    await past.getByRole('button', { name: 'Run back-test' }).click();
    await past.getByText(/events? checked/).waitFor();
    await past.getByText('Would have run').waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  // docs/guide/what-if.md: a back-test compares an edit with the saved rule, which is not what has run
  test('reads what a rule that never ran would have done, and what an edit changes of it', async () => {
    const total = { id: 'order_total', settings: { operator: 'gt', amount: 1 } };
    const parts = { conditions: [total], primaryAction: null, secondaryActions: [] };
    const { rule } = await running.call<{ rule: { id: number } }>('POST', '/v1/rules', {
      ...{ name: 'Never ran', enabled: false },
      rule: { trigger: { id: 'payment_complete', settings: {} }, ...parts },
    });
    await post(running, 1015, 3_400, 'eur');
    await page.goto(`${running.base}/rules/${rule.id}`);
    const past = page.locator('section', { hasText: 'Test it on past events' });
    const found = past.getByText(/^\d+ events?, \d+ orders?/);
    await waitFor(async () => {
      await past.getByRole('button', { name: 'Run back-test' }).click();
      await past.getByText(/events? checked/).waitFor();
      return (await found.count()) === 1;
    }, patiently);
    expect(await past.getByText(/before|your changes/).count()).toBe(0);
    await page.getByLabel('Amount', { exact: true }).fill('1000000');
    await past.getByText('You changed the rule since. Run it again.').waitFor();
    await past.getByRole('button', { name: 'Run back-test' }).click();
    await past.getByText('Only without your changes').waitFor();
    expect(await past.getByText('Never.', { exact: true }).count()).toBe(2);
    await found.waitFor();
  });

  test('imports a file of rules: YAML as people write it, and why another file is none', async () => {
    await page.goto(`${running.base}/rules`);
    await page.getByText('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Import' }).click();
    const dialog = page.getByRole('dialog');
    const preview = async (name: string, text: string) => {
      await dialog.locator('[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
      await dialog.getByRole('button', { name: 'Preview changes' }).click();
    };
    await preview('empty.yaml', '');
    await dialog.getByText('rules is required').waitFor();
    await preview('letter.yaml', 'Dear shop');
    await dialog.getByText('must be rules as an export writes them').waitFor();
    await preview('half.json', '{"version": 1,');
    await dialog.getByText('The body is not valid JSON').waitFor();
    // https://yaml.org/spec/1.2.2/#742-flow-mappings
    await preview('none.yaml', '{version: 1, rules: []}');
    await dialog.getByText(/rules? (is|are) deleted by this import/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });
});
