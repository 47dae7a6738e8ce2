import { setTimeout as sleep } from 'node:timers/promises';
import { type Backtest, writtenRuleDataSchema as rule } from '@order-automation/contracts';
import { z } from 'zod';
import type { AnswerTo, Call, CallOf, Routes } from '../client';
import { present } from '../http/parameters';

/** Routes that answer a question although they are asked by POST: they change nothing. */
export const questions = ['POST /pro/v1/debug-rule/explain', 'POST /pro/v1/debug-rule/backtest'] as const;
type Question = Extract<keyof Routes, `GET ${string}`> | (typeof questions)[number];
type BodyOf<Name extends keyof Routes> = Extract<AnswerTo<Name>, { ok: true }>['body'];

/** What tools work with: the body of an answer of the interface, and the saving of a rule that does nothing. Both reject when it refuses. */
export type Access = {
  ask<Name extends Question>(name: Name, ...call: Call<Name>): Promise<BodyOf<Name>>;
  draft(draft: CallOf<'POST /v1/rules'>['body']): Promise<BodyOf<'POST /v1/rules'>>;
};

/** What a tool answers: records, and the ids of log entries that show it. */
type Found = { readonly data: unknown; readonly cites: number[] };

export type Tool = { readonly input: z.ZodObject; run(access: Access, input: Record<string, unknown>): Promise<Found> };

function tool<Input extends z.ZodRawShape>(
  input: Input,
  run: (access: Access, input: z.output<z.ZodObject<Input>>) => Promise<Found>,
): Tool {
  return { input: z.strictObject(input), run: run as unknown as Tool['run'] };
}

const per_page = 20;
const page = z.int().min(1).max(1_000).default(1);
const id = z.int().min(1);
const text = z.string().min(1).max(200);
const someId = id.optional();
const someText = text.optional();
const event = { event_type: someText, gateway: someText, process_id: someText };
const range = { status: someText, date_from: someText, date_to: someText, page };
const ruleChanges = { event_type: 'rule_created,rule_modified' };

type Filters = NonNullable<CallOf<'GET /v1/audit-log'>['query']>;

async function entries({ ask }: Access, filters: Filters) {
  const { logs, pagination } = await ask('GET /v1/audit-log', { query: { view: 'flat', per_page, ...filters } });
  const rows = logs.map(({ details: _details, ...row }) => row);
  return { data: { entries: rows, pagination }, cites: rows.map((row) => row.id) };
}

/** The newest entries about orders, rules or processes; an empty list of them has none. */
const about = async (access: Access, subject: Filters): Promise<number[]> =>
  Object.values(subject).includes('') ? [] : (await entries(access, subject)).cites;

/** Milliseconds that a call waits for the end of a back-test, and between two looks. */
const backtestWait = 10_000;
const lookEvery = 400;

async function endOf({ ask }: Access, job: string): Promise<Backtest> {
  for (const until = performance.now() + backtestWait; ; await sleep(lookEvery)) {
    const { data } = await ask('GET /pro/v1/debug-rule/backtests/{id}', { params: { id: job } });
    if (data.state !== 'running' || performance.now() > until) return data;
  }
}

/** All that an assistant can ask, and the one thing that it can write. `tools.json` says what each is for. */
export const tools = {
  search_orders: tool({ search: someText, status: someText, page }, async (access, input) => {
    const found = await access.ask('GET /v1/shop/orders', { query: { ...present(input), per_page } });
    const orders = found.orders.map(({ line_items: _lines, meta_data: _fields, ...order }) => order);
    const cites = await about(access, { order_id: orders.map((order) => order.id).join() });
    return { data: { ...found, orders }, cites };
  }),
  read_order: tool({ order_id: id }, async (access, { order_id }) => {
    const data = await access.ask('GET /v1/shop/orders/{id}', { params: { id: order_id } });
    return { data, cites: await about(access, { order_id }) };
  }),
  why: tool({ order_id: id }, async ({ ask }, params) => {
    const { data } = await ask('GET /pro/v1/debug-rule/why/{order_id}', { params });
    return { data, cites: data.entries.map((entry) => entry.id) };
  }),
  search_log: tool(
    { search: someText, order_id: someId, rule_id: someId, process_id: someText, event_type: someText, ...range },
    (access, input) => entries(access, present(input)),
  ),
  read_process: tool({ process_id: text, page }, async ({ ask }, { process_id, page }) => {
    const call = { params: { process_id }, query: { page, per_page } };
    const data = await ask('GET /v1/audit-log/process/{process_id}', call);
    return { data, cites: data.logs.map((entry) => entry.id) };
  }),
  explain: tool({ order_id: someId, ...event, page }, async (access, input) => {
    const body = { ...present(input), include_disabled: true, per_page };
    const { data } = await access.ask('POST /pro/v1/debug-rule/explain', { body });
    const { process_id, order_id } = data;
    return { data, cites: await about(access, process_id === null ? { order_id } : { process_id }) };
  }),
  back_test: tool(
    { rule_id: someId, rule: rule.optional(), last: someId, from: someText, to: someText, job: someText },
    async (access, { job, rule: rule_data, ...input }) => {
      const start = () => access.ask('POST /pro/v1/debug-rule/backtest', { body: present({ rule_data, ...input }) });
      const data = await endOf(access, job ?? ((await start()) as unknown as { data: Backtest }).data.id);
      const { newly_matching, matching } = data.result;
      const samples = [...newly_matching.samples, ...matching.samples];
      const processes = new Set(samples.map((sample) => sample.process_id));
      return { data, cites: await about(access, { process_id: [...processes].slice(0, per_page).join() }) };
    },
  ),
  list_rules: tool({ search: someText, enabled: z.boolean().optional(), page }, async (access, input) => {
    const data = await access.ask('GET /v1/rules', { query: { ...present(input), per_page } });
    const rule_id = data.rules.map((one) => one.id).join();
    return { data, cites: await about(access, { rule_id, ...ruleChanges }) };
  }),
  list_components: tool({}, async ({ ask }) => ({ data: await ask('GET /v1/rule-builder/components'), cites: [] })),
  needs_attention: tool({}, async (access) => {
    const figures = await access.ask('GET /v1/overview');
    const date_from = new Date(Date.parse(figures.at) - 24 * 60 * 60_000).toISOString();
    const { data, cites } = await entries(access, { status: 'warning,error', date_from });
    return { data: { figures, ...data }, cites };
  }),
  verify: tool({ from_id: someId, to_id: someId }, async ({ ask }, input) => {
    const data = await ask('GET /v1/audit-log/verify', { query: present(input) });
    return { data, cites: data.first_bad_id === null ? [] : [data.first_bad_id] };
  }),
  draft_rule: tool({ name: text, rule, shadow: z.boolean().default(false) }, async (access, input) => {
    const data = await access.draft(input);
    return { data, cites: await about(access, { rule_id: data.rule_id, ...ruleChanges }) };
  }),
};
