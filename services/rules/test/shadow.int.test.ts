import { describeLanes } from '@order-automation/testing';
import { actor, edition, useRules } from './rules-client';

describeLanes('rules in shadow', (lane) => {
  const rules = useRules(lane);
  const active = async () =>
    (await rules.request('rules.active-versions.v1', { since: -1, after: 0 })).versions.map(({ id }) => id);

  test('a rule is on, in shadow or off: what is set of one ends the other, and the log says so', async () => {
    await rules.openAudit();
    const { rule_id: id } = await rules.create();
    expect(await active()).toEqual([]);
    const shadow = await rules.save(id, { shadow: true });
    expect(shadow.record).toMatchObject({ enabled: false, shadow: true });
    expect(await active()).toEqual([id]);
    const promoted = await rules.save(id, { enabled: true });
    expect(promoted.record.enabled).toBe(true);
    expect(promoted.record).not.toHaveProperty('shadow');
    const back = await rules.save(id, { shadow: true });
    expect(back.record).toMatchObject({ enabled: false, shadow: true });
    const off = await rules.save(id, { enabled: false });
    expect(off.record).not.toHaveProperty('shadow');
    expect(await active()).toEqual([]);
    expect(rules.entries.map(({ summary }) => summary.replace(/^.*: /, '')).slice(1)).toEqual([
      'from disabled to shadow',
      'from shadow to enabled',
      'from enabled to shadow',
      'from shadow to disabled',
    ]);
    await expect(rules.save(id, { enabled: true, shadow: true })).rejects.toMatchObject({
      data: { violations: [{ path: 'shadow', message: 'a rule is either enabled or in shadow' }] },
    });
  });

  // decisions.md section 12: "a rule has `mode: live | shadow`; `enabled` as before"
  test('a mode is that of a rule that is on: live, or in shadow', async () => {
    const first = await rules.create({ enabled: true, mode: 'shadow' });
    expect(first.record).toMatchObject({ enabled: false, shadow: true, mode: 'shadow' });
    const live = await rules.save(first.rule_id, { mode: 'live' });
    expect(live.record).toMatchObject({ enabled: true, mode: 'live' });
    const back = await rules.save(first.rule_id, { mode: 'shadow' });
    expect(back.record).toMatchObject({ enabled: false, shadow: true, mode: 'shadow' });
    const off = await rules.save(first.rule_id, { enabled: false, mode: 'shadow' });
    expect(off.record).toMatchObject({ enabled: false, mode: 'live' });
    const stays = await rules.save(first.rule_id, { mode: 'live' });
    expect(stays.record).toMatchObject({ enabled: false, mode: 'live' });
  });

  test('a file keeps the state, and refuses a rule that is on and in shadow', async () => {
    const { rule_id: id } = await rules.create({ shadow: true });
    const { rules: exported } = await rules.request('rules.export.v1', { after: 0 });
    expect(exported).toMatchObject([{ enabled: false, shadow: true }]);
    const imported = (change: object, mode: 'preview' | 'apply') =>
      rules.request('rules.import.v1', {
        file: { version: 1, rules: exported.map((rule) => ({ ...rule, ...change })) },
        mode,
        edition,
        actor,
      });
    expect((await imported({}, 'preview')).unchanged).toMatchObject([{ id }]);
    const [changed] = (await imported({ enabled: true, shadow: false }, 'preview')).change;
    expect(changed?.summary).toBe('from shadow to enabled');
    await expect(imported({ enabled: true }, 'apply')).rejects.toMatchObject({
      data: { violations: [{ path: 'rules.0.shadow' }] },
    });
  });

  test('a rule in shadow conflicts with none, and is not named as a disabled one that listens', async () => {
    await rules.create({ enabled: true });
    const copy = await rules.create({ shadow: true, name: 'Copy' });
    expect(copy.warnings ?? []).toEqual([]);
    const kind = { type: 'payment_completed', event_type: null, gateway: null } as const;
    expect((await rules.request('rules.disabled-listeners.v1', kind)).total).toBe(0);
    await rules.request('rules.rule.delete.v1', { id: copy.rule_id, if_match: null, actor });
    const restored = await rules.request('rules.rule.restore.v1', { id: copy.rule_id, if_match: null, edition, actor });
    expect(restored.record).not.toHaveProperty('shadow');
  });
});
