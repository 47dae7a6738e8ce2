import { type EventDone, message, newId } from '@order-automation/contracts';
import { describeLanes, waitFor } from '@order-automation/testing';
import type { QueryPlan } from '../../../shared/store/test/explain';
import { recordedQueries } from '../../../shared/store/test/recorded-queries';
import { openRules } from '../src/documents/rule-documents';
import { openRuleVersions } from '../src/documents/rule-versions';
import { actor, edition, ruleData, useRules } from './rules-client';

/** SecantusDB sorts what it found by a prefix of an index; MongoDB and SQLite read it in order. */
const walksIndex = ({ usesIndex, detail, engine }: QueryPlan): boolean =>
  usesIndex || (engine === 'secantus' && detail === 'SORT < FETCH < IXSCAN');

describeLanes('reading rules', (lane) => {
  const rules = useRules(lane);

  test('a look at the active rules has a revision that grows with every change', async () => {
    const [a, b, c] = [
      await rules.create({ enabled: true, position: 5 }),
      await rules.create({ enabled: true, position: 1 }),
      await rules.create({ enabled: false, position: 0 }),
    ];
    const d = await rules.create({ enabled: true });
    expect(d.record.position).toBe(6);
    const active = await rules.active();
    expect(active.versions.map(({ id }) => id)).toEqual([a.rule_id, b.rule_id, d.rule_id]);
    await rules.save(c.rule_id, { enabled: true });
    const later = await rules.active();
    expect(later.revision).toBeGreaterThan(active.revision);
    expect(later.versions).toContainEqual({ id: c.rule_id, version: 2 });
    await waitFor(() => rules.revisions.some(({ revision }) => revision === later.revision));
  });

  test('rules are found as they were in a version, also one that is deleted now', async () => {
    const { rule_id: id } = await rules.create({ name: 'First', enabled: true });
    await rules.save(id, { name: 'Second' });
    const gone = await rules.create({ name: 'Gone' });
    await rules.request('rules.rule.delete.v1', { id: gone.rule_id, if_match: null, actor });
    const versions = [
      { id, version: 2 },
      { id, version: 1 },
      { id: gone.rule_id, version: 1 },
      { id, version: 9 },
    ];
    const answer = await rules.request('rules.version.get.v1', { versions });
    expect(answer.rules.map(({ name, version }) => [name, version])).toEqual([
      ['Second', 2],
      ['First', 1],
      ['Gone', 1],
    ]);
    expect(answer.missing).toEqual([{ id, version: 9 }]);
  });

  test('without the licence that it was made with a rule stays active; it may be switched off, and not changed or switched on', async () => {
    const rule = ruleData({ trigger: { id: 'payment_complete', settings: {} } });
    const changes = { name: 'Paid', enabled: true, rule };
    const made = await rules.request('rules.rule.create.v1', { changes, edition: 'extended', actor });
    const id = made.rule_id;
    const refusal = {
      status: 403,
      code: 'svc_licence_required',
      message: 'The rule uses components that need the extended edition.',
      data: { violations: [{ path: 'rule.trigger.id' }] },
    };
    expect((await rules.active()).versions).toEqual([{ id, version: 1 }]);
    await expect(rules.save(id, { rule })).rejects.toMatchObject(refusal);
    expect(await rules.save(id, { name: 'Renamed' })).toMatchObject({ success: true });
    expect((await rules.active()).versions).toEqual([{ id, version: 2 }]);
    await rules.save(id, { enabled: false });
    await expect(rules.save(id, { enabled: true })).rejects.toMatchObject(refusal);
  });

  test('disabled rules say which events they would listen to', async () => {
    const listens = (name: string, id: string, enabled = false) =>
      rules.create({ name, enabled, rule: ruleData({ trigger: { id, settings: {} } }) });
    const draft = await listens('Draft', 'order_processing');
    await listens('Enabled', 'order_processing', true);
    await listens('Other', 'order_refunded');
    const ask = (type: 'payment_completed' | 'trial_ended') =>
      rules.request('rules.disabled-listeners.v1', {
        type,
        event_type: `payment.card.${type}`,
        gateway: 'gateway_card',
      });
    expect(await ask('payment_completed')).toEqual({ rules: [{ id: draft.rule_id, name: 'Draft' }], total: 1 });
    expect(await ask('trial_ended')).toEqual({ rules: [], total: 0 });
  });

  test('the list is filtered, searched as text, and paged', async () => {
    for (const name of ['Alpha (50%)', 'beta', 'Alphabet']) await rules.create({ name, enabled: name === 'beta' });
    const names = async (input: Parameters<typeof rules.list>[0]) =>
      (await rules.list(input)).rules.map(({ name }) => name);
    expect(await names({})).toEqual(['Alpha (50%)', 'beta', 'Alphabet']);
    expect(await names({ search: 'ALPHA' })).toEqual(['Alpha (50%)', 'Alphabet']);
    expect(await names({ search: '.*' })).toEqual([]);
    expect(await names({ search: '(50%)' })).toEqual(['Alpha (50%)']);
    expect(await names({ enabled: true })).toEqual(['beta']);
    expect(await names({ enabled: false, search: 'alphab' })).toEqual(['Alphabet']);
    expect(await names({ trigger: 'order_processing' })).toHaveLength(3);
    expect(await names({ trigger: 'gone' })).toEqual([]);
    expect(await rules.list({ search: 'alpha', page: 2, per_page: 1 })).toMatchObject({
      rules: [{ name: 'Alphabet' }],
      pagination: { total: 2, total_pages: 2, current_page: 2, start_item: 2, end_item: 2, has_next: false },
    });
    expect(await rules.list({ page: 9 })).toMatchObject({ rules: [], pagination: { total: 3, start_item: 0 } });
  });

  const at = (second: number) => `2026-01-15T10:00:0${second}.000Z`;
  const ended = (second: number, ran: number[], matched: number[] = []): EventDone => {
    const event = { event_id: newId('evt', Date.now()), origin: 'intake', outcome: 'success', order_id: 1 } as const;
    return { ...event, at: at(second), rules: ran, matched };
  };
  const done = (...events: EventDone[]) => message('evaluation.events-done.v1', { events }, { now: Date.now() });
  const statsOf = async (id: number) => (await rules.request('rules.rule.get.v1', { id })).record.stats;

  test('statistics add up what evaluation reports, and a save leaves them alone', async () => {
    const { rule_id: id } = await rules.create();
    await rules
      .deps()
      .bus.publish([
        done(ended(3, [id], [id]), ended(2, [id], [id])),
        done(ended(4, [id, 123_456], [123_456])),
        done(ended(4, [])),
      ]);
    await waitFor(async () => (await statsOf(id)).run_count === 3);
    await rules.save(id, { enabled: true });
    expect(await statsOf(id)).toEqual({ run_count: 3, match_count: 2, last_fired_at: at(3) });
  });

  test('statistics that are not yet written are written on closing', async () => {
    const { rule_id: id } = await rules.create();
    let seen = false;
    await rules.deps().bus.subscribe('evaluation.events-done.v1', 'test', async () => {
      seen = true;
    });
    await rules.deps().bus.publish([done(ended(1, [id], [id]))]);
    await waitFor(() => seen);
    await rules.service().close();
    await rules.start();
    await waitFor(async () => (await statsOf(id)).run_count === 1);
  });

  test('components mark the trigger of the rule at hand', async () => {
    const { rule_id } = await rules.create();
    const inRule = async (id: number | null) =>
      (await rules.request('rules.component.list.v1', { rule_id: id, edition })).triggers.map(
        (one) => one.already_in_rule,
      );
    expect([(await inRule(rule_id))[0], (await inRule(null))[0]]).toEqual([true, false]);
  });

  test('every named query walks an index', async () => {
    const recorded = recordedQueries(rules.deps().store);
    const documents = await openRules(recorded.store);
    const versions = await openRuleVersions(recorded.store);
    for (const filter of [{}, { enabled: true }, { trigger: 'order_processing' }]) await documents.page(filter, 0, 5);
    await documents.active(5);
    await documents.deletedBefore('2026-01-15T10:00:00.000Z', 5);
    await versions.page(1, 7, 0, 5);
    await versions.since(7);
    const plans = await recorded.plans();
    expect(plans).toHaveLength(7);
    expect(plans.filter((plan) => !walksIndex(plan))).toEqual([]);
  });
});
