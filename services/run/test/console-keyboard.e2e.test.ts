import { waitFor } from '@order-automation/testing';
import type { Page } from 'playwright-core';
import { administrator, describeConsole, patiently, type Running, settled, type Visitor } from './console-browser';

jest.setTimeout(240_000);

/** What is typed counts as it was meant, and the focus stays where the work is. */
describeConsole('a shop owner who types and tabs', (start) => {
  let running: Running;
  let admin: Visitor;
  let page: Page;
  beforeAll(async () => {
    running = await start({});
    admin = await administrator(running);
    page = admin.page;
  });
  afterAll(() => running.close());
  afterEach(() => expect(admin.complaints.splice(0).filter((text) => !/40[09]/.test(text))).toEqual([]));

  /** The name of what has the focus. */
  const focused = () =>
    page.evaluate<string>(
      '(({ labels, ariaLabel, placeholder, innerText }) => labels?.[0]?.innerText || ariaLabel || placeholder || innerText)(document.activeElement)',
    );
  const waitForFocus = (name: string) =>
    waitFor(async () => (await focused()) === name, { describe: `the focus on ${name}`, ...patiently });
  const chips = () => page.locator('.chip').allInnerTexts();
  const parts = () => page.getByRole('heading', { level: 3 }).allInnerTexts();
  const addCondition = async (name: string) => {
    await page.getByPlaceholder('Add a condition').click();
    await page.getByRole('option', { name: new RegExp(`^${name} `) }).click();
  };
  const press = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
  };

  test('makes a first rule and enables it, with the keyboard alone', async () => {
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 100; presses += 1) {
        await page.keyboard.press('Tab');
        if ((await focused()) === name) return;
      }
      throw new Error(`Tab does not reach ${name}`);
    };
    const take = async (field: string, words: string, name: string) => {
      await tabTo(field);
      await page.keyboard.type(words);
      await page
        .getByRole('option', { name: new RegExp(`^${name}`) })
        .first()
        .waitFor();
      await page.keyboard.press('Enter');
    };
    await page.keyboard.press('Control+k');
    await page.keyboard.type('new rule');
    await page.getByRole('button', { name: /^New rule/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'New rule' }).waitFor();
    await settled(page);
    await tabTo('Name');
    await page.keyboard.type('By keyboard');
    await take('Trigger', 'payment comp', 'Payment complete');
    await take('Add a condition', 'total', 'Order total');
    await tabTo('Amount');
    await page.keyboard.type('20');
    await take('Main action', 'completed', 'Change status to completed');
    await tabTo('Save');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/rules\/\d+/);
    await page.getByText('When a payment completes · if total is more than 20.00 · complete the order').waitFor();
    await tabTo('Enable By keyboard');
    await page.keyboard.press('Enter');
    await page.getByText('is enabled and runs from now on').waitFor();
    const { rules } = await running.call<{ rules: { id: number; name: string; enabled: boolean }[] }>(
      'GET',
      '/v1/rules',
    );
    const made = rules.find(({ name }) => name === 'By keyboard');
    expect(made?.enabled).toBe(true);
    await running.call('DELETE', `/v1/rules/${made?.id}`);
  });

  test('statuses and types of events that a rule has from elsewhere stand there as words', async () => {
    const settings = { from: ['pending'], to: ['on-hold', 'wc-completed'] };
    const rule = { trigger: { id: 'any_status_change', settings }, conditions: [], secondaryActions: [] };
    const types = { event_types: ['charge.refunded', 'dispute_opened'], gateways: [] };
    const of = async (changed: object) => {
      const body = { name: 'By script', rule: { ...rule, primaryAction: null, ...changed } };
      const { rule_id: id } = await running.call<{ rule_id: number }>('POST', '/v1/rules', body);
      await page.goto(`${running.base}/rules/${id}`);
      await waitFor(async () => (await chips()).length > 0, patiently);
      return () => running.call('DELETE', `/v1/rules/${id}`);
    };
    const away = await of({});
    const statuses = 'Pending payment× On hold× Completed×';
    await waitFor(async () => (await chips()).join(' ') === statuses, { describe: statuses, ...patiently });
    await page.getByLabel('To', { exact: true }).fill('hold');
    await page.getByRole('option', { name: 'On hold' }).waitFor({ state: 'hidden' });
    await away();
    const awayToo = await of({ trigger: { id: 'webhook_event', settings: types } });
    await waitFor(async () => (await chips()).join(' ') === 'Charge refunded× Dispute opened×', patiently);
    await page.getByLabel('Event types').fill('subscr');
    await page.getByRole('option', { name: 'Subscription renewed' }).waitFor();
    // Both are suggested while one is not chosen: https://www.w3.org/WAI/ARIA/apg/patterns/combobox/, "automatic selection".
    const twice = ['Payment failed', 'Payment failed', 'payment_failed', 'Dispute opened', 'Renewal payment failed'];
    for (const name of twice) {
      await page.getByLabel('Event types').fill(name);
      await page.keyboard.press('Enter');
      await waitFor(async () => (await page.getByLabel('Event types').inputValue()) === '', patiently);
    }
    const once = 'Charge refunded× Dispute opened× Payment failed× Renewal payment failed×';
    await waitFor(async () => (await chips()).join(' ') === once, { describe: once, ...patiently });
    await awayToo();
  });

  test('a text of its own stays, also where it is part of a suggestion; a name takes its suggestion', async () => {
    await page.goto(`${running.base}/rules/new`);
    await addCondition('Coupon');
    // Enter adds what was typed where no suggestion was chosen: https://www.w3.org/WAI/ARIA/apg/patterns/combobox/, "manual selection".
    for (const [text, ...keys] of [
      ['welcome', 'Enter'],
      ['elcome', 'Tab'],
      ['wel', 'ArrowDown', 'Enter'],
      ['WELCOME10', 'Enter'],
    ] as const) {
      await page.getByLabel('Codes').fill(text);
      await page
        .getByRole('option', { name: 'welcome10' })
        .waitFor({ state: text === 'WELCOME10' ? 'hidden' : 'visible' });
      for (const key of keys) await page.keyboard.press(key);
      await waitFor(async () => (await page.getByLabel('Codes').inputValue()) === '', patiently);
    }
    expect((await chips()).join(' ')).toBe('welcome× elcome× welcome10×');
    await page.goto('about:blank');
  });

  test('an arrow before the suggestions are here waits for them, and a gateway has a name', async () => {
    await page.goto(`${running.base}/rules/new`);
    await addCondition('Country');
    await page.getByLabel('Countries').focus();
    await page.keyboard.type('Spai');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await waitFor(async () => (await chips()).at(-1) === 'Spain×', patiently);
    await page.goto(`${running.base}/rules/new`);
    await addCondition('Source gateway');
    for (const gateway of ['generic/', 'generic/erp']) {
      await page.getByLabel('Gateways').fill(gateway);
      await page.keyboard.press('Enter');
    }
    await waitFor(async () => (await chips()).join() === 'generic/erp×', patiently);
    await page.goto('about:blank');
  });

  test('a code of two letters is its country, not the first one that has the letters in its name', async () => {
    await page.goto(`${running.base}/rules/new`);
    await addCondition('Country');
    await page.getByLabel('Countries').focus();
    for (const code of ['DE', 'us', 'France', 'UK', 'EL', 'Reunion']) {
      await page.keyboard.type(code);
      await page.keyboard.press('Enter');
      await waitFor(async () => (await page.getByLabel('Countries').inputValue()) === '', patiently);
    }
    // It is chosen already, and no country is meant that has the letters in its name: Sweden, Bangladesh.
    await page.keyboard.type('de');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel('Countries').fill('');
    const names = 'Germany× United States× France× United Kingdom× Greece× Réunion×';
    await waitFor(async () => (await chips()).join(' ') === names, { describe: names, ...patiently });
  });

  test('what was typed into a list counts when the field is left', async () => {
    // ARIA practices, "list autocomplete with automatic selection": https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
    await page.keyboard.type('Italy');
    await page.getByRole('option', { name: /^Italy/ }).waitFor();
    await page.keyboard.press('Tab');
    // The name of what was chosen is looked up.
    await waitFor(async () => (await chips()).at(-1) === 'Italy×', patiently);
  });

  test('Enter takes what the whole text finds, not what its beginning found', async () => {
    await page.getByPlaceholder('Add a condition').focus();
    await page.keyboard.type('product');
    await page.getByRole('option', { name: /^Product tag/ }).waitFor();
    await page.keyboard.type(' tag');
    await page.keyboard.press('Enter');
    await waitFor(async () => (await parts()).includes('Product tag'), patiently);
    expect(await parts()).toEqual(['Country', 'Product tag']);
  });

  test('an amount with a decimal comma is that amount', async () => {
    await addCondition('Order total');
    await page.getByLabel('Amount', { exact: true }).fill('');
    await page.getByLabel('Amount', { exact: true }).pressSequentially('1.234,50');
    await page.getByPlaceholder('Trigger').click();
    await page.getByRole('option', { name: /^Order enters processing/ }).click();
    await page
      .getByText(/total is more than 1234\.50/)
      .first()
      .waitFor();
  });

  test('the focus follows a part that is moved, and stays in its card when one is removed', async () => {
    await press('Move Country down');
    await waitForFocus('Move Country down');
    expect((await parts()).slice(1)).toEqual(['Product tag', 'Country', 'Order total']);
    await press('Remove United States');
    await waitForFocus('Remove France');
    await press('Remove Product tag');
    await waitForFocus('Add a condition');
  });

  test('a list that must not be empty is in focus after a refused save; nothing can be typed while it is being sent', async () => {
    await page.getByLabel('Name', { exact: true }).fill('By keyboard');
    for (const name of ['Germany', 'France', 'Italy', 'United Kingdom', 'Greece', 'Réunion'])
      await page.getByRole('button', { name: `Remove ${name}` }).click();
    await press('Save');
    await waitForFocus('Countries');
    await page.keyboard.type('NL');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove Netherlands' }).waitFor();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/v1/rules', async (route) => {
      await held;
      await route.continue();
    });
    await press('Save');
    await page.getByText('Saving…').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).evaluate((input) => input.closest('[inert]') !== null)).toBe(
      true,
    );
    release();
    await page.getByRole('heading', { name: 'By keyboard' }).waitFor();
    await page.unroute('**/v1/rules');
  });

  test('a secret that was copied with spaces is saved without, and a refused form has the focus at what is wrong', async () => {
    await page.goto(`${running.base}/connections?connect=choose`);
    await settled(page);
    await press('Another sender');
    await page.getByLabel('Name', { exact: true }).fill('Ware house');
    await page.getByLabel('Secret', { exact: true }).fill(' copied-from-an-e-mail ');
    await press('Create');
    await waitForFocus('Name');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('depot ');
    // WCAG 3.3.4: what was entered can be checked before it is gone.
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor();
    await waitForFocus('Cancel');
    await page.keyboard.press('Escape');
    await waitForFocus('Name');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'depot' }).waitFor();
    const depot = await running.call<{ secrets: { last4: string }[] }>('GET', '/v1/webhooks/depot');
    expect(depot.secrets.map(({ last4 }) => last4)).toEqual(['mail']);
  });

  test('a switch has the focus again once it is done; the heading has it when the last row is gone', async () => {
    await press('Disable depot');
    await waitForFocus('Enable depot');
    await running.call('POST', '/v1/auth/application-passwords', { name: 'Script', scope: 'read' });
    await page.goto(`${running.base}/settings?part=passwords`);
    const only = page.getByRole('button', { name: 'Delete Script' });
    await only.waitFor();
    await press('Delete Script');
    await press('Delete');
    await only.waitFor({ state: 'detached' });
    await waitForFocus('Settings');
  });

  test('a test event is about the order that was typed', async () => {
    await page.goto(`${running.base}/connections`);
    await page.getByRole('button', { name: 'Send a test event to Card gateway' }).click();
    await page.getByLabel('Order', { exact: true }).fill('1006');
    await page.getByRole('option', { name: /^Order 1006/ }).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page
      .getByText(/Test: Order 1006: /)
      .first()
      .waitFor();
  });

  test('words that no order has are no order, and the search says so', async () => {
    await page.goto(`${running.base}/debugger`);
    await settled(page);
    await page.getByPlaceholder('Number, name or e-mail').fill('nobody');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Enter');
    expect(page.url()).not.toContain('order=');
    await page.getByRole('heading', { name: 'Debugger' }).click();
    await page.keyboard.press('/');
    await page.keyboard.type('order 1004');
    await page.getByRole('button', { name: /^Order 1004/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Order 1004' }).waitFor();
  });

  test('another page of a list begins at its top; one beyond the end leads back, and does not say that nothing happened', async () => {
    for (let rule = 0; rule < 35; rule += 1) {
      await running.call('POST', '/v1/auth/application-passwords', { name: `Script ${rule}`, scope: 'read' });
    }
    await page.goto(`${running.base}/log`);
    await page.getByRole('link', { name: 'Older' }).click();
    await page.getByText(/^31 to /).waitFor();
    expect(await page.evaluate('scrollY')).toBe(0);
    await page.goto(`${running.base}/log?page=99`);
    await page.getByText(/^0 to 0 of /).waitFor();
    expect(await page.getByText('Nothing has happened yet').count()).toBe(0);
    await page.getByRole('link', { name: 'Newer' }).click();
    await page.getByText(/^31 to /).waitFor();
  });
});
