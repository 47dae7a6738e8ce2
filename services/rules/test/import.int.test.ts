import type { RequestOutput, RuleData } from '@order-automation/contracts';
import { describeLanes, waitFor } from '@order-automation/testing';
import { crashingStore } from '../../../shared/store/test/crashing-store';
import { startRules } from '../src';
import { openRules } from '../src/documents/rule-documents';
import { actor, edition, ruleData, useRules } from './rules-client';

type Import = RequestOutput<'rules.import.v1'>;

describeLanes('an import of rules', (lane) => {
  const rules = useRules(lane);
  const entry = (key: string, rule: RuleData = ruleData(), enabled = true) => ({ key, name: key, enabled, rule });
  const fileOf = (...keys: string[]) => ({ version: 1, rules: keys.map((key) => entry(key)) });
  const run = (file: unknown): Promise<Import> =>
    // SecantusDB, which stands in for MongoDB where there is no container, takes seconds for a few rules.
    rules.deps().bus.request('rules.import.v1', { file, mode: 'apply', edition, actor }, { timeout: 60_000 });
  const names = (count: number, prefix: string) => Array.from({ length: count }, (_, at) => `${prefix}-${at}`);

  /** What a cache reads: names of the enabled rules, of one generation. */
  const seen = async (): Promise<string[]> => {
    for (;;) {
      const { versions, generation } = await rules.active();
      if (versions.length === 0) return [];
      const records = await rules.request('rules.records.v1', { ids: versions.map(({ id }) => id) });
      if (records.generation === generation) return records.rules.map(({ name }) => name).sort();
    }
  };

  test('is seen as a whole: at no moment are there fewer rules, or some of both files', async () => {
    await rules.openAudit();
    const count = lane.name === 'embedded' ? 12 : 4;
    const [old, next] = [names(count, 'old').sort(), names(count, 'new').sort()];
    await run(fileOf(...old));
    expect(await seen()).toEqual(old);
    const looks: string[][] = [];
    let over = false;
    const looking = (async () => {
      while (!over) looks.push(await seen());
    })();
    for (let round = 0; round < 7; round += 1) await run(fileOf(...(round % 2 === 0 ? next : old)));
    over = true;
    await looking;
    expect(await seen()).toEqual(next);
    expect(looks.length).toBeGreaterThan(5);
    for (const look of looks) expect([old, next]).toContainEqual(look);
    await waitFor(() => rules.revisions.some(({ change }) => change === 'updated'));
  }, 120_000);

  // decisions.md section 3: an import makes the rules what the document says. A second one of the same finds nothing to do.
  test('a rule is stored without blanks around its name, and a second import of the file changes nothing', async () => {
    await rules.openAudit();
    const file = { version: 1, rules: ['  Spaced  ', ' '].map((name, at) => ({ ...entry(`key-${at}`), name })) };
    await run(file);
    expect(await seen()).toEqual(['Spaced', 'key-1']);
    expect(await run(file)).toMatchObject({ change: [], unchanged: [{ name: 'Spaced' }, { name: 'key-1' }] });
  });

  // docs/guide/command-line.md: rules are a file under version control. A refusal names the file; its reader sent no parameters.
  test('a refused file is called a file, whatever is wrong with it', async () => {
    const message = 'The file of rules is not valid.';
    const code = 'rest_invalid_param';
    await expect(run({ trigger: {} })).rejects.toMatchObject({ code, message });
    await expect(run({ version: 1 })).rejects.toMatchObject({ code: 'rest_missing_callback_param', message });
    await expect(run(fileOf('a', 'a'))).rejects.toMatchObject({ code, message });
  });

  test('does not overwrite a save that came while it ran', async () => {
    await rules.openAudit();
    await run(fileOf('a', 'b', 'c'));
    const [a = 0, b = 0] = (await rules.list()).rules.map(({ id }) => id);
    const changed = {
      version: 1,
      rules: fileOf('a', 'b').rules.map((rule) => ({ ...rule, name: `${rule.name} of the file` })),
    };
    const refusalOf = (id: number) => ({ status: 412, code: 'svc_version_conflict', data: { rule_ids: [id] } });

    // Before anything is written, and right before all of it is there: nothing is changed.
    const early = await hooked('rule_versions', 'insertMany', () => rules.save(a, { name: 'Edited first' }));
    await expect(early(() => run(changed))).rejects.toMatchObject(refusalOf(a));
    expect(await seen()).toEqual(['Edited first', 'b', 'c']);
    const late = await hooked('rule_set', 'updateOne', () => rules.save(b, { name: 'Edited then' }));
    await expect(late(() => run(changed))).rejects.toMatchObject(refusalOf(b));
    expect(await seen()).toEqual(['Edited first', 'Edited then', 'c']);
    expect((await rules.versionsOf(a)).map(({ version }) => version)).toEqual([2, 1]);
    expect(await run(changed)).toMatchObject({ change: [{ id: a }, { id: b }], delete: [{ key: 'c' }] });
    expect(await seen()).toEqual(['a of the file', 'b of the file']);
  });

  test('starts anew when somebody saves a rule that it leaves alone', async () => {
    await rules.openAudit();
    await run(fileOf('a', 'b'));
    const [a = 0] = (await rules.list()).rules.map(({ id }) => id);
    const file = { version: 1, rules: [entry('a', ruleData(), false), { ...entry('b'), name: 'b of the file' }] };
    const during = await hooked('rule_set', 'updateOne', () => rules.save(a, { enabled: false }));
    expect(await during(() => run(file))).toMatchObject({ unchanged: [{ key: 'a' }], change: [{ key: 'b' }] });
    expect(await seen()).toEqual(['b of the file']);
  });

  /**
   * Resolves with what runs an act with a service that, at its first call of this method, lets `before` happen.
   */
  async function hooked(collection: string, method: 'insertMany' | 'updateOne', before: () => Promise<unknown>) {
    const { store } = rules.deps();
    let isDue = false;
    const hookedStore = {
      ...store,
      collection: async (name: string, indexes: never) => {
        const documents = await store.collection(name, indexes);
        if (name !== collection) return documents;
        return new Proxy(documents, {
          get: (target, key) => {
            const value = target[key as keyof typeof target] as unknown;
            if (key !== method) return typeof value === 'function' ? value.bind(target) : value;
            return async (...args: unknown[]) => {
              if (isDue) {
                isDue = false;
                await before();
              }
              return (value as (...args: unknown[]) => Promise<unknown>).apply(target, args);
            };
          },
        });
      },
    } as typeof store;
    return async <T>(act: () => Promise<T>): Promise<T> => {
      await rules.service().close();
      const other = await startRules({ ...rules.deps(), store: hookedStore }, { extensions: [] });
      isDue = true;
      try {
        return await act();
      } finally {
        await other.close();
        await rules.start();
      }
    };
  }

  test('a rule that a person disables while it runs is off at once, and stays so', async () => {
    await rules.openAudit();
    await run(fileOf('a', 'b', 'c'));
    const [a = 0] = (await rules.list()).rules.map(({ id }) => id);
    let meanwhile: string[] = [];
    const during = await hooked('rule_set', 'updateOne', async () => {
      await rules.save(a, { enabled: false });
      meanwhile = await seen();
    });
    const changed = fileOf('a', 'b', 'c').rules.map((rule) => ({ ...rule, name: `${rule.name} of the file` }));
    await expect(during(() => run({ version: 1, rules: changed }))).rejects.toMatchObject({ status: 412 });
    expect(meanwhile).toEqual(['b', 'c']);
    expect(await seen()).toEqual(['b', 'c']);
  });

  /** Runs `act` against services that die at their writes, one after the other, until each has started again and what was left is finished. */
  async function dyingAtEach(act: () => Promise<unknown>, then: () => Promise<void>): Promise<number> {
    let died = 0;
    for (let at = 1; at < 18; at += 1) {
      await rules.service().close();
      const store = crashingStore(rules.deps().store, { at, stored: at % 2 === 0 });
      const dying = await startRules({ ...rules.deps(), store }, { extensions: [] }).catch(() => null);
      if (!dying) {
        await rules.start();
        continue;
      }
      const outcome = await act().catch(() => null);
      if (!outcome) died += 1;
      await dying.close();
      await rules.start();
      rules.deps().clock.advance(31_000);
      await waitFor(async () => (await rules.storedSet()).isSettled);
      await then();
    }
    return died;
  }

  test('that dies at any of its writes is finished, or has never been', async () => {
    await rules.openAudit();
    await run(fileOf('a', 'b'));
    const before = await seen();
    const request = { file: fileOf('b', 'c'), mode: 'apply', edition, actor } as const;
    const died = await dyingAtEach(
      () => rules.deps().bus.request('rules.import.v1', request, { timeout: 5_000 }),
      async () => {
        expect([before, ['b', 'c']]).toContainEqual(await seen());
        await run(fileOf('a', 'b'));
        expect(await seen()).toEqual(before);
      },
    );
    expect(died).toBeGreaterThan(2);
  }, 240_000);

  test('another order is there as a whole, or not at all, when its process dies at any of its writes', async () => {
    await rules.openAudit();
    await run(fileOf('a', 'b', 'c', 'd'));
    const idsIn = async () => (await rules.list()).rules.map(({ id }) => id);
    let before = await idsIn();
    const died = await dyingAtEach(
      () => rules.deps().bus.request('rules.reorder.v1', { ids: [...before].reverse(), actor }, { timeout: 5_000 }),
      async () => {
        const now = await idsIn();
        expect([before, [...before].reverse()]).toContainEqual(now);
        before = now;
      },
    );
    expect(died).toBeGreaterThan(2);
  }, 240_000);

  test('another order keeps what a person saves meanwhile', async () => {
    await rules.openAudit();
    await run(fileOf('a', 'b', 'c'));
    const ids = (await rules.list()).rules.map(({ id }) => id);
    const [a = 0] = ids;
    const during = await hooked('rule_set', 'updateOne', () => rules.save(a, { name: 'Edited', enabled: false }));
    await during(() => rules.request('rules.reorder.v1', { ids: [...ids].reverse(), actor }));
    const after = (await rules.list()).rules;
    expect(after.map(({ id }) => id)).toEqual([...ids].reverse());
    expect(after.at(-1)).toMatchObject({ id: a, name: 'Edited', enabled: false });
    expect(await seen()).toEqual(['b', 'c']);
  });

  test('a deleted rule is listed for 90 days and comes back as it was, disabled', async () => {
    await rules.openAudit();
    const { rule_id: id } = await rules.create({ name: 'Undo me', enabled: true });
    await rules.request('rules.rule.delete.v1', { id, if_match: null, actor });
    expect((await rules.list()).rules).toEqual([]);
    const listed = await rules.list({ deleted: true });
    expect(listed.rules).toMatchObject([{ id, name: 'Undo me', deleted_at: expect.any(String) }]);
    const versions = await rules.request('rules.rule.versions.v1', { id, page: 1, per_page: 20 });
    expect(versions.versions.map(({ version }) => version)).toEqual([2, 1]);
    const taken = await rules.create({ name: 'Undo me' });
    const restored = await rules.request('rules.rule.restore.v1', { id, if_match: null, edition, actor });
    expect(restored.record).toMatchObject({ id, name: 'Undo me', enabled: false, version: 3, rule: ruleData() });
    expect(restored.record.deleted_at).toBeUndefined();
    expect((await rules.list({ deleted: true })).rules).toEqual([]);
    expect((await rules.list()).rules.map((rule) => rule.id).sort()).toEqual([id, taken.rule_id].sort());
    const { rules: exported } = await rules.request('rules.export.v1', { after: 0 });
    expect(exported.map(({ key }) => key).sort()).toEqual(['undo-me', `undo-me-${id}`]);
    await waitFor(() => rules.entries.some(({ summary }) => summary.includes('was restored by admin; it is disabled')));
    const alive = rules.request('rules.rule.restore.v1', { id, if_match: null, edition, actor });
    await expect(alive).rejects.toMatchObject({ code: 'rest_missing_callback_param' });
  });

  test('after 90 days a deleted rule and its versions are gone', async () => {
    await rules.openAudit();
    const { rule_id: id } = await rules.create();
    await rules.request('rules.rule.delete.v1', { id, if_match: null, actor });
    await rules.service().close();
    rules.deps().clock.advance(91 * 86_400_000);
    await rules.start();
    await waitFor(async () => (await rules.stored(id)) === null);
    await waitFor(async () => (await rules.versionsOf(id)).length === 0);
    const { documents } = await openRules(rules.deps().store);
    expect(await documents.countDocuments({})).toBe(0);
  });
});
