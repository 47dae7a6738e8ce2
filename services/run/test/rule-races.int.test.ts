import type { Bus } from '@order-automation/bus';
import {
  awaitingPayment,
  type EventReceived,
  message,
  type NewAuditEntry,
  newProcessId,
  type OrderCommand,
  type OrderStep,
  type RuleData,
} from '@order-automation/contracts';
import { startEvaluation } from '@order-automation/evaluation';
import { startRules } from '@order-automation/rules';
import { createMetrics, type Service, secret } from '@order-automation/service';
import {
  buildEvent,
  buildOrder,
  buildOrderContext,
  describeLanes,
  type LaneDeps,
  waitFor,
} from '@order-automation/testing';

/** Edits that race with events; 1,000 by hand: `RULE_RACES=1000`. */
const races = Number(process.env.RULE_RACES ?? 60);
const eventsOfRace = 4;

const actor = { user: 'test', process_id: 'proc_test', action: null, user_agent: null, page_url: null };
const edition = 'extended' as const;

/** Two actions that both name the version of the rule. */
const ruleOf = (text: string): RuleData => ({
  trigger: { id: 'payment_complete', settings: {} },
  conditions: [],
  primaryAction: null,
  secondaryActions: [
    { id: 'add_order_note', settings: { note_text: text } },
    { id: 'set_order_meta', settings: { key: 'by', value: text } },
  ],
});

/** A rule whose version n says so in its actions; `enabled` are the versions in which it is. */
async function versionedRule(bus: Bus, name: string) {
  const textOf = (version: number) => `${name} ${version}`;
  const { rule_id } = await bus.request('rules.rule.create.v1', {
    changes: { name, enabled: true, rule: ruleOf(textOf(1)) },
    edition,
    actor,
  });
  const enabled = new Set([1]);
  let version = 1;
  return {
    id: rule_id,
    enabled,
    textOf,
    save: async (isEnabled: boolean): Promise<void> => {
      version += 1;
      if (isEnabled) enabled.add(version);
      const changes = { enabled: isEnabled, rule: ruleOf(textOf(version)) };
      await bus.request('rules.rule.save.v1', { id: rule_id, changes, if_match: version - 1, edition, actor });
    },
  };
}

function received(order: number): EventReceived {
  const transaction = `pi_race_${order}`;
  const event = buildEvent({
    transactionID: transaction,
    receivedAt: new Date().toISOString(),
    orderReference: { gateway_ids: [], order_id: String(order), transaction_id: transaction },
  });
  return { process_id: newProcessId(Date.now()), event, webhook: { connection: null, body_bytes: 2, metadata: {} } };
}

describeLanes('rules are edited and disabled while events are evaluated', (lane) => {
  let deps: LaneDeps;
  let services: Service[];
  const steps: OrderStep[] = [];
  const entries: NewAuditEntry[] = [];
  const done = new Set<string>();

  beforeAll(async () => {
    deps = await lane.deps();
    await startShopAndLog(deps.bus);
    services = [await startRules(deps, { extensions: [] })];
    const config = {
      extensions: [],
      orderWait: 3_600_000,
      timeZone: 'UTC',
      awaitingPayment,
      giveUpAfter: 3_600_000,
      retention: 90 * 86_400_000,
      secretKey: secret([Buffer.alloc(32, 7)]),
      outboundAllow: { hosts: [], subnets: [] },
      smtpUrl: undefined,
      smtpFrom: undefined,
    };
    const { store } = await lane.deps({ bus: deps.bus, database: 'evaluation' });
    for (const metrics of [createMetrics('one'), createMetrics('two')])
      services.push(await startEvaluation({ ...deps, store, metrics }, config));
  }, 60_000);
  afterAll(async () => {
    for (const service of services.reverse()) await service.close();
    await deps.close();
  });

  /** A shop in which every order exists, and a log. */
  async function startShopAndLog(bus: Bus): Promise<void> {
    const contextOf = (id: number) =>
      buildOrderContext({ order: buildOrder({ id, total: '49.00', currency: 'EUR', status: 'pending' }) });
    await bus.respond('shop.order.resolve.v1', async ({ references }) => {
      const ids = references.map(({ order_id }) => Number(order_id));
      return { matches: ids.map((id) => ({ order_id: id, by: 'order_id' as const })), orders: ids.map(contextOf) };
    });
    await bus.respond('shop.order.get.v1', async ({ ids }) => ({ orders: ids.map(contextOf) }));
    await bus.respond('shop.order.apply.v2', async (input) => {
      steps.push(...input.steps);
      const results = input.steps.map((step) => {
        const { process_id } = step.cause;
        const done = { status: 'applied' as const, process_id, message: 'Done.', changes: [] };
        const context = contextOf(step.order_id);
        const said = step.commands.map(({ key }) => ({ key, ...done }));
        return { kind: 'applied' as const, process_id, results: said, context, changes: [], entries: [] };
      });
      return { results };
    });
    await bus.respond('audit.record.v2', async ({ records }) => {
      for (const { process_id, entries: own } of records)
        entries.push(...own.map((entry) => ({ ...entry, process_id })));
      return { recorded: records.length, duplicates: 0 };
    });
    await bus.subscribe('evaluation.events-done.v1', 'test', async (messages) => {
      for (const { data } of messages) for (const { event_id } of data.events) done.add(event_id);
    });
  }

  test(
    `${races} races: the log names one version of each rule for an event, and the actions are of that version`,
    async () => {
      const [edited, toggled] = [await versionedRule(deps.bus, 'edited'), await versionedRule(deps.bus, 'toggled')];
      const events: EventReceived[] = [];
      for (let race = 0; race < races; race += 1) {
        const fresh = Array.from({ length: eventsOfRace }, (_, index) => received(race * eventsOfRace + index + 1));
        events.push(...fresh);
        const messages = fresh.map((data) =>
          message('intake.event-received.v1', data, {
            id: data.event.id,
            process_id: data.process_id,
            now: Date.now(),
          }),
        );
        await Promise.all([deps.bus.publish(messages), edited.save(true), toggled.save(race % 2 === 1)]);
      }
      await waitFor(() => events.every(({ event }) => done.has(event.id)), { timeout: 60_000 + 200 * races });

      const seen = new Set<string>();
      for (const { process_id } of events) {
        const logged = entries.filter((entry) => entry.process_id === process_id);
        for (const rule of [edited, toggled]) {
          const own = new Map(logged.filter(({ rule_id }) => rule_id === rule.id).map((entry) => [entry.uid, entry]));
          const versions = new Set(
            [...own.values()].map(({ details }) => (details.rule as { version: number }).version),
          );
          expect([process_id, versions.size <= 1]).toEqual([process_id, true]);
          const [version] = versions;
          const text = version === undefined ? null : rule.textOf(version);
          if (version !== undefined) expect(rule.enabled).toContain(version);
          else expect(rule).toBe(toggled);
          const acted = steps.filter(({ cause }) => cause.process_id === process_id && cause.rules?.at(-1) === rule.id);
          const said = new Set(acted.flatMap(({ commands }) => commands.map(({ command }) => saidBy(command))));
          expect([process_id, [...said]]).toEqual([process_id, text === null ? [] : [text]]);
          seen.add(`${rule.id}:${version}`);
        }
      }
      // Events and edits did meet: each rule was seen in several versions.
      expect(seen.size).toBeGreaterThan(races / 10);
    },
    120_000 + 400 * races,
  );
});

function saidBy(command: OrderCommand): string {
  if (command.kind === 'add_note') return command.note;
  return command.kind === 'set_meta' ? String(command.value) : command.kind;
}
