import { createHmac } from 'node:crypto';
import { waitFor } from '@order-automation/testing';
import type { Page } from 'playwright-core';
import { cardSignature } from './card-webhook';
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

/** What is done beside rules and log: senders, deliveries, users, proof. */
describeConsole('a shop administrator', (start) => {
  let running: Running;
  let admin: Visitor;
  let page: Page;
  beforeAll(async () => {
    running = await start({ EFFECT_PATIENCE: '2s' });
    admin = await administrator(running);
    page = admin.page;
  });
  afterAll(() => running.close());
  afterEach(() => expect(admin.complaints.splice(0)).toEqual([]));

  const signed = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('hex');
  const send = async (secret: string, key: string): Promise<boolean> => {
    const body = JSON.stringify({ id: key, type: 'payment_completed', order_id: 1005 });
    const headers = { 'content-type': 'application/json', 'x-signature': signed(secret, body) };
    const answer = await fetch(`${running.base}/v1/webhooks/generic/warehouse`, { method: 'POST', headers, body });
    return ((await answer.json()) as { success: boolean }).success;
  };
  const shownSecret = () => page.locator('.secret code').innerText();

  test('makes a sender, tests it, and rotates its secret while both count', async () => {
    await page.goto(`${running.base}/connections`);
    await page.getByRole('link', { name: 'Connect a sender' }).first().click();
    await page.getByRole('button', { name: 'Another sender' }).click();
    await page.getByLabel('Name', { exact: true }).fill('warehouse');
    await page.getByRole('button', { name: 'Create' }).click();
    const first = await shownSecret();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    expect(await send(first, 'one')).toBe(true);
    await page.reload();

    const sender = page.locator('section', { hasText: '/v1/webhooks/generic/warehouse' });
    await sender.getByText('Last event named 1005 (order_id): read as 1005').waitFor();
    await sender.getByRole('button', { name: /^Settings/ }).click();
    await page.getByLabel('Its events refer to an order by').selectOption('id');
    await page.getByLabel('Prefix of the order reference').fill('SHOP-');
    await page.getByLabel('Its amounts are written').selectOption('minor');
    await page.getByLabel('Currency of amounts that come without one').fill('myr');
    await page.getByLabel('Field that says whether the payment succeeded').fill('/data/success');
    await page.getByRole('button', { name: 'Save' }).click();
    await sender.getByText('after “SHOP-”').waitFor();
    expect(await running.call('GET', '/v1/webhooks/warehouse')).toMatchObject({
      order_reference: 'id',
      order_prefix: 'SHOP-',
      amount_unit: 'minor',
      currency: 'MYR',
      paths: { success: '/data/success' },
    });
    await sender.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    const second = await shownSecret();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await sender.getByText(/valid until/).waitFor();
    expect([await send(first, 'two'), await send(second, 'three'), await send('guessed-secret', 'four')]).toEqual([
      true,
      true,
      false,
    ]);

    await sender.getByRole('button', { name: 'Send a test event' }).click();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('link', { name: 'See what happened' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
  });

  test('rotates the card secret: which is used last, and which ends, stands there; the old one is removed', async () => {
    await page.goto(`${running.base}/connections`);
    const card = page.locator('section', { hasText: '/v1/webhooks/gateway_card' });
    await card.getByText(/from an environment variable, never used/).waitFor();
    const add = async (): Promise<string> => {
      await card.getByRole('button', { name: 'New secret' }).click();
      await page.getByRole('button', { name: 'Rotate secret' }).click();
      const secret = await shownSecret();
      await page.getByRole('button', { name: 'I have saved it' }).click();
      return secret;
    };
    const own = await add();
    await card.getByText(/from an environment variable, valid until/).waitFor();
    await card.getByText(/no newer one has been used since/).waitFor();
    await pay({ ...running, secrets: { ...running.secrets, GATEWAY_CARD_SECRETS: own } }, 1005, 1_900, 'eur');
    await page.reload();
    await card.getByText(own.slice(-4)).waitFor();
    expect(await card.getByText(/no newer one has been used since/).count()).toBe(0);
    await add();
    const removal = card.getByRole('button', { name: `Remove the secret …${own.slice(-4)} of gateway_card` });
    await removal.click();
    await page.getByRole('button', { name: 'Remove', exact: true }).last().click();
    await page.getByText(`Removed the secret …${own.slice(-4)}`).waitFor();
    await removal.waitFor({ state: 'detached' });
  });

  test('pauses a gateway, sees what is held, and resumes it', async () => {
    await page.goto(`${running.base}/connections`);
    const card = page.locator('section', { hasText: '/v1/webhooks/gateway_card' });
    await card.getByRole('button', { name: 'Pause' }).click();
    await card.getByText('0 events held until you resume it.').waitFor();
    await post(running, 1006, 100, 'eur');
    await page.goto(`${running.base}/`);
    await page.getByText('Card gateway is paused: 1 event held until you resume it.').waitFor();
    await page.getByRole('link', { name: 'Resume it' }).click();
    await card.getByRole('button', { name: 'Resume' }).click();
    await page.getByText(/Card gateway is resumed/).waitFor();
  });

  test('sends a failed delivery again, and reads why it failed', async () => {
    await running.call('POST', '/v1/rules', {
      name: 'Tell nobody',
      enabled: true,
      rule: {
        trigger: { id: 'order_processing', settings: {} },
        conditions: [],
        primaryAction: null,
        secondaryActions: [{ id: 'send_webhook', settings: { url: 'http://127.0.0.1:9/hook' } }],
      },
    });
    await pay(running, 1007, 44_900, 'eur');
    await page.goto(`${running.base}/deliveries`);
    const row = page.getByRole('row', { name: /127\.0\.0\.1:9/ });
    await row.waitFor();
    await row.getByRole('button', { name: /Details/ }).click();
    await page.getByRole('heading', { name: 'Attempts' }).waitFor();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Sending again...').waitFor();
    await page.getByText('admin', { exact: true }).last().waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
  });

  test('sees what an event waits for, and until when', async () => {
    const object = { id: 'pi_early', amount: 1_900, currency: 'eur', metadata: { order_id: '987654' } };
    const body = JSON.stringify({ id: 'evt_early', type: 'payment_intent.succeeded', data: { object } });
    const at = Math.floor(Date.now() / 1000);
    const signature = cardSignature(running.secrets.GATEWAY_CARD_SECRETS ?? '', Buffer.from(body), at);
    const headers = { 'content-type': 'application/json', 'Card-Signature': signature };
    await fetch(`${running.base}/v1/webhooks/gateway_card`, { method: 'POST', headers, body });
    const waits = () => running.call<{ events: unknown[] }>('GET', '/v1/webhooks/events?state=waiting');
    await waitFor(async () => (await waits()).events.length > 0, patiently);
    await page.goto(running.base);
    await page.getByRole('link', { name: /^Waiting ?1 ?for an order/ }).click();
    await page.waitForURL(/\/events\?state=waiting$/);
    await page.goto(`${running.base}/events`);
    await page.getByRole('link', { name: 'Waiting for their order' }).click();
    const row = page.getByRole('row', { name: /Payment intent succeeded the card gateway/ });
    await row.getByText(/order 987654/).waitFor();
    await waitFor(async () => (await row.locator('time').count()) === 2, patiently);
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Held: sender is paused' }).click();
    await page.getByText('No event matches these filters').waitFor();
    await page.getByRole('link', { name: 'Yesterday' }).click();
    await page.waitForURL(/from=.*&to=/);
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await row.getByText(/order 987654/).waitFor();
  });

  test('signs in over the page when the session ends, and what was being saved is saved', async () => {
    await page.goto(`${running.base}/rules/1`);
    await settled(page);
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    const before = await name.inputValue();
    await name.fill('A draft that survives');
    await admin.context.clearCookies();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    // The name is there already: what is typed is the password, and must not be readable in the other field.
    await page.keyboard.type(running.secrets.ADMIN_PASSWORD ?? '');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'A draft that survives' }).waitFor();
    expect(await running.call('GET', '/v1/rules/1')).toMatchObject({ name: 'A draft that survives' });
    await running.call('PUT', '/v1/rules/1', { name: before });
    // The browser says in its console that it was refused.
    admin.complaints.splice(0);
  });

  test('replays the events that were selected, and finds an order in the list by a name', async () => {
    await pay(running, 1003, 6_850, 'eur');
    await waitFor(async () => {
      const done = '/v1/webhooks/events?state=done&order_id=1003';
      return (await running.call<{ events: object[] }>('GET', done)).events.length > 0;
    }, patiently);
    await page.goto(`${running.base}/events?state=done&order_id=1003`);
    await page
      .getByRole('checkbox', { name: /^Select .* of \d\d:/ })
      .first()
      .check();
    // What is no longer shown is not replayed.
    await page.getByRole('link', { name: 'Refused' }).click();
    await page.getByText('No event matches these filters').waitFor();
    expect(await page.getByRole('button', { name: 'Replay selected' }).isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'Evaluated' }).click();
    await page.getByRole('button', { name: 'Replay 1 selected event' }).click();
    await page.getByText('1 event replayed.').waitFor();
    await page.getByRole('button', { name: 'Replay selected' }).waitFor();
    await page.getByText('Saved views').click();
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Of order 1003');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved Of order 1003').waitFor();
    await page.goto(`${running.base}/events`);
    await page.getByText('Saved views').click();
    await page.getByRole('link', { name: 'Of order 1003' }).click();
    await page.waitForURL(/\/events\?state=done&order_id=1003$/);
    expect(await page.locator('details.menu[open]').count()).toBe(0);
    await page.locator('summary:focus', { hasText: 'Saved views' }).waitFor();
    await settled(page);
    expect(await faultsOf(page)).toEqual([]);
    await page.goto(`${running.base}/orders`);
    await page.getByRole('searchbox').fill('1003');
    await page.getByLabel('Status').selectOption('processing');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/\/orders\?status=processing$/);
    await page.getByRole('row', { name: /^Order 1003/ }).waitFor();
    await waitFor(async () => (await page.getByRole('row').count()) === 2, patiently);
    await page.getByRole('link', { name: 'Order 1003' }).click();
    await page.getByRole('heading', { name: 'Order 1003', exact: true }).waitFor();
  });

  test('is led to the log by a payment that no order has, and by no e-mail address', async () => {
    const search = async (words: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('searchbox').fill(words);
    };
    await search('nobody@shop.example');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');
    await search('pi_of_nobody');
    await page.getByRole('button', { name: 'Search the log for “pi_of_nobody”' }).click();
    await page.waitForURL(/\/log\?search=pi_of_nobody$/);
    await page.goto(`${running.base}/orders`);
    await page.getByRole('searchbox').fill('pi_of_nobody');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'Search the log for it' }).click();
    await page.waitForURL(/\/log\?search=pi_of_nobody$/);
  });

  test('takes back what was done, and does what is chosen in the search', async () => {
    const { rule } = await running.call<{ rule: { id: number } }>('POST', '/v1/rules', {
      name: 'Taken back',
      enabled: true,
      rule: {
        trigger: { id: 'payment_complete', settings: {} },
        conditions: [],
        primaryAction: null,
        secondaryActions: [{ id: 'add_order_note', settings: { note_text: 'Thank you' } }],
      },
    });
    const undo = async () => {
      await page.getByRole('button', { name: 'Undo' }).last().click();
      await page.getByText('Undone').last().waitFor();
    };
    await page.goto(`${running.base}/rules`);
    await page.getByRole('button', { name: 'Disable Taken back' }).click();
    await page.getByRole('button', { name: 'Enable Taken back' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await undo();
    await page.getByRole('button', { name: 'Disable Taken back' }).waitFor();
    await running.call('PUT', `/v1/rules/${rule.id}`, { shadow: true });
    await page.reload();
    await page.getByRole('button', { name: 'Enable Taken back' }).click();
    await page.getByRole('button', { name: 'Disable Taken back' }).waitFor();
    await undo();
    await page.getByText('In shadow').waitFor();
    await running.call('PUT', `/v1/rules/${rule.id}`, { enabled: true });
    await page.reload();
    await page.getByRole('button', { name: 'Move Taken back up' }).click();
    await page.getByText(/^“Taken back” is now number/).waitFor();
    await undo();
    await page.goto(`${running.base}/rules/${rule.id}`);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/\/rules$/);
    await undo();
    await page.waitForURL(new RegExp(`/rules/${rule.id}$`));
    const { enabled } = await running.call<{ enabled: boolean }>('GET', `/v1/rules/${rule.id}`);
    expect(enabled).toBe(true);

    const find = async (words: string, found: RegExp) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('searchbox').fill(words);
      await page.getByRole('dialog').getByRole('button', { name: found }).first().waitFor();
      await page.keyboard.press('Enter');
    };
    await find('pause card', /^Pause .*card/i);
    await page.getByText(/is paused: its events are held/).waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByText(/card.* is resumed; 0 held events released/i).waitFor();
    await running.call('PUT', '/v1/webhooks/warehouse', { paused: true });
    await find('resume warehouse', /^Resume warehouse/);
    await page.getByText('warehouse is resumed; 0 held events released').waitFor();
    await find('new rule', /^New rule/);
    await page.waitForURL(/\/rules\/new$/);
    await page.goto(running.base);
    await running.call('DELETE', `/v1/rules/${rule.id}`);
    admin.complaints.splice(0);
  });

  test('replays what was given up: one, then all of them', async () => {
    await pay(running, 1003, 6_850, 'eur');
    await pay(running, 1002, 5_900, 'eur');
    await running.giveUp('The order has no currency.');
    admin.complaints.splice(0);
    // The address that mails of earlier versions have.
    await page.goto(`${running.base}/dead-letters`);
    await page.waitForURL(/\/events\?state=dead$/);
    await page.getByText('The order has no currency.').first().waitFor();
    const letters = page.getByRole('checkbox', { name: /^Select / });
    await waitFor(async () => (await letters.count()) > 1, patiently);
    const count = await letters.count();
    await page
      .getByRole('listitem')
      .filter({ hasText: `${count} The order has no currency.` })
      .waitFor();
    await letters.first().check();
    await page.getByRole('button', { name: 'Replay 1 selected event' }).click();
    await page.getByText('1 event replayed.').waitFor();
    await waitFor(async () => (await letters.count()) === count - 1, patiently);
    await page.getByRole('button', { name: 'Replay all that match' }).click();
    await page.getByText(/evaluated again with the current rules/).waitFor();
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByText(/events? replayed/).waitFor();
    await waitFor(async () => (await letters.count()) === 0, patiently);
  });

  test('watches a replay on its page until it can be replayed again', async () => {
    await page.goto(`${running.base}/log/${await pay(running, 1002, 5_900, 'eur')}`);
    const replay = page.getByRole('button', { name: 'Replay', exact: true });
    const before = page.url();
    const clicked = new Date().toISOString();
    await replay.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true }).click();
    await page.waitForURL((url) => url.href !== before);
    await replay.waitFor();
    expect(await page.getByText('Not finished yet').count()).toBe(0);
    const began = await page
      .getByText(/^Began/)
      .locator('time')
      .first()
      .getAttribute('datetime');
    expect((began ?? '') >= clicked).toBe(true);
    admin.complaints.splice(0);
  });

  test('invites a viewer, who then sees no write', async () => {
    await page.goto(`${running.base}/settings?part=users`);
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    await page.getByLabel('User name').fill('vera');
    await page.getByRole('button', { name: 'Create account' }).click();
    const password = await shownSecret();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByText('vera', { exact: true }).waitFor();

    const vera = await visitor(running);
    await signIn(running, vera, 'vera', password);
    await settled(vera.page);
    const links = await vera.page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allInnerTexts();
    expect(links).toEqual(['Overview', 'Log', 'Deliveries', 'Settings']);
    const writes = /new|save|delete|replay|send|test|enable|disable|pause|import|invite|resend/i;
    const [first] = (await running.call<{ logs: { process_id: string }[] }>('GET', '/v1/audit-log?order_id=1007')).logs;
    for (const path of [
      '/',
      '/log',
      `/log/${first?.process_id}`,
      '/orders/1007',
      '/deliveries',
      '/settings?part=log',
    ]) {
      await vera.page.goto(`${running.base}${path}`);
      await settled(vera.page);
      const buttons = await vera.page.locator('main button:visible').allInnerTexts();
      expect([path, ...buttons.filter((text) => writes.test(text))]).toEqual([path]);
    }
    // A viewer has the number of an order from a customer: an order opens by it, as for those who manage the shop.
    await running.call('PUT', '/v1/shop/orders/3088', { number: 'RE-2026-88', status: 'pending' });
    await vera.page.goto(`${running.base}/orders/RE-2026-88`);
    await vera.page.getByRole('heading', { name: 'Order 3088' }).waitFor();
    await vera.page.getByText('Number RE-2026-88', { exact: true }).waitFor();
    await vera.page.goto(`${running.base}/orders/RE-2026-99`);
    await vera.page.getByRole('heading', { name: 'There is no order RE-2026-99' }).waitFor();
    await vera.page.goto(`${running.base}/rules`);
    await vera.page.getByText('You have read-only access').waitFor();
    await vera.page.goto(`${running.base}/settings?part=users`);
    await vera.page.getByText('Your role does not include these settings').waitFor();
    expect(await vera.page.getByText('Your account').count()).toBe(0);
    expect(vera.complaints).toEqual([]);
    await vera.context.close();
  });

  test('a choice of another role changes nothing until it is confirmed', async () => {
    await page.goto(`${running.base}/settings?part=users`);
    await page.getByRole('button', { name: 'Change role of vera' }).click();
    const role = page.getByLabel('Role', { exact: true });
    await role.focus();
    await page.keyboard.press('ArrowUp');
    expect(await role.inputValue()).not.toBe('shop_viewer');
    await page.getByRole('button', { name: 'Cancel' }).click();
    const { users } = await running.call<{ users: { username: string; role: string }[] }>('GET', '/v1/auth/users');
    expect(users.find(({ username }) => username === 'vera')?.role).toBe('shop_viewer');
  });

  test('gives somebody who lost the password a new one', async () => {
    await page.getByRole('button', { name: 'New password for vera' }).click();
    await page.getByRole('button', { name: 'Make a new password' }).click();
    const password = await shownSecret();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    const vera = await visitor(running);
    await signIn(running, vera, 'vera', password);
    await vera.context.close();
  });

  test('hides the first steps for everybody', async () => {
    await page.goto(`${running.base}/`);
    await page.getByRole('heading', { name: /First steps: \d of 6 done/ }).waitFor();
    await page.getByRole('button', { name: 'Hide the first steps' }).click();
    await page.getByText('The first steps are hidden for everybody').waitFor();
    await page.reload();
    await settled(page);
    expect(await page.getByRole('heading', { name: /First steps/ }).count()).toBe(0);
  });

  test('verifies the log, and finds that it is whole', async () => {
    await page.goto(`${running.base}/settings?part=log`);
    await page.getByRole('button', { name: 'Verify the log' }).click();
    await page.getByText(/The log is complete and unchanged: \d+ entries and seals verified/).waitFor();
  });

  test('erases a customer from the log once that is confirmed', async () => {
    await pay(running, 1003, 6_850, 'eur');
    await page.goto(`${running.base}/settings?part=log`);
    await page.getByLabel('E-mail address or customer id').fill('farah.ozturk@example.com');
    await page.getByRole('button', { name: 'Erase', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
    await page.getByText(/^Erased from [1-9]\d* entr/).waitFor(patiently);
    await page.getByLabel('E-mail address or customer id').fill('farah.oztruk@example.com');
    await page.getByRole('button', { name: 'Erase', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
    await page.getByText('Nothing was found about this person. Check the spelling.').waitFor(patiently);
    await settled(page);
    expect(await faultsOf(page)).toEqual([]);
  });

  test('tries every rule on an order at once', async () => {
    await page.goto(`${running.base}/debugger`);
    await page.getByRole('combobox', { name: 'An order by number' }).fill('1006');
    await page.getByRole('option', { name: /Order 1006/ }).click();
    await page.getByRole('heading', { name: /Complete paid orders of 20 or more Does not match/ }).waitFor();
    await page.getByRole('heading', { name: /Tell nobody Matches/ }).waitFor();
    await page.getByText('The order as it is now, each rule as if its trigger had fired.').waitFor();
    expect(page.url()).toBe(`${running.base}/debugger?order=1006`);
  });
});
