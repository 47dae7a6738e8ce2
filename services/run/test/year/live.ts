import { waitFor } from '@order-automation/testing';
import { type End, endOf } from './model';
import type { Life, Step } from './plan';
import type { YearWorld } from './world';

/** Webhooks that are handed to intake together. */
const together = 64;

/** What a life needs of the world that it is lived in. */
export type LivingWorld = Pick<
  YearWorld,
  'create' | 'save' | 'turn' | 'last' | 'send' | 'isSettled' | 'endOf' | 'silent' | 'summaries'
>;

type Sent = { readonly step: Step; readonly process_id: string; readonly answer: string };
type Told = { readonly life: Life; readonly sent: Sent[] };
type Turn<K extends Step['kind']> = { readonly told: Told; readonly step: Extract<Step, { kind: K }> };

/**
 * Makes the orders and sends the steps of all lives: the first of each, then the second of each, and so on until each life has come to something that the
 * shop does, which all of them then do together. `isSlow`: each webhook has its effect before the next is sent. Resolves with what differs from the model,
 * with everything that is needed to understand it.
 */
export async function live(world: LivingWorld, lives: readonly Life[], isSlow: boolean): Promise<string[]> {
  await Promise.all(lives.filter(({ isLate }) => !isLate).map(({ order }) => world.create(order)));
  await world.isSettled();
  const all = lives.map((life): Told => ({ life, sent: [] }));
  const nextOf = <K extends Step['kind']>(kind: K): Turn<K>[] =>
    all.flatMap((told) => {
      const step = told.life.steps[told.sent.length];
      return step?.kind === kind ? [{ told, step: step as Turn<K>['step'] }] : [];
    });
  for (;;) {
    for (let webhooks = nextOf('webhook'); webhooks.length > 0; webhooks = nextOf('webhook')) {
      for (let at = 0; at < webhooks.length; at += together) await send(world, webhooks.slice(at, at + together));
      if (isSlow) await world.isSettled();
    }
    await world.isSettled();
    const saves = nextOf('save');
    if (saves.length === 0) break;
    await world.turn();
    for (const { told, step } of saves) {
      const isNew = told.life.isLate && !told.sent.some((one) => one.step.kind === 'save');
      if (isNew) await world.create(told.life.order);
      else await world.save(told.life.order.id, step.fields);
      told.sent.push({ step, process_id: '', answer: 'saved' });
    }
    await world.isSettled();
  }
  return differences(world, all);
}

async function send(world: LivingWorld, webhooks: readonly Turn<'webhook'>[]): Promise<void> {
  const answers = await world.send(webhooks.map(({ step }) => step.webhook));
  for (const [index, { told, step }] of webhooks.entries()) {
    const answer = answers[index];
    if (answer) told.sent.push({ step, ...answer });
  }
}

/** What rules made of changes of the order may take a moment longer; what is done twice, or for nobody, comes then too. */
async function differences(world: LivingWorld, all: readonly Told[]): Promise<string[]> {
  const isWrong = async ({ life }: Told): Promise<boolean> => !isSame(await world.endOf(life), endOf(life));
  const wrong = async (): Promise<Told[]> => {
    const found = await Promise.all(all.map(async (told) => ((await isWrong(told)) ? [told] : [])));
    return found.flat();
  };
  const areRight = () => waitFor(async () => (await wrong()).length === 0, { timeout: 15_000 }).catch(() => undefined);
  await areRight();
  await world.last();
  await world.isSettled();
  await areRight();
  const differing = await Promise.all((await wrong()).map((told) => report(world, told)));
  return [...differing, ...unexplained(world, all)];
}

/** Every webhook that was accepted has an end in the log. */
function unexplained(world: LivingWorld, all: readonly Told[]): string[] {
  const accepted = all.flatMap(({ sent }) => sent).filter(({ answer }) => answer === 'accepted');
  const silent = new Set(world.silent(accepted.map(({ process_id }) => process_id)));
  return all.flatMap(({ life: { order, law, gateway }, sent }) =>
    sent
      .filter(({ process_id }) => silent.has(process_id))
      .map((one) => `order ${order.id}: ${law}, ${gateway}: the log is silent about\n${lineOf(one)}`),
  );
}

const textOf = ({ status, notes, logged, moves }: End): string =>
  `${status} ${JSON.stringify(notes)} logged ${JSON.stringify(logged)} moves ${JSON.stringify(moves)}`;

const isSame = (actual: End, expected: End): boolean =>
  textOf({ ...actual, moves: actual.moves ?? expected.moves }) === textOf(expected);

function lineOf({ step, answer, process_id }: Sent): string {
  if (step.kind === 'save') return `  the shop saves ${JSON.stringify(step.fields)}`;
  const { name, at, body } = step.webhook;
  return `  ${process_id.slice(-6)} ${step.isCopy ? 'copy of ' : ''}${name} of ${new Date(at).toISOString()}, ${answer}\n    ${body}`;
}

async function report(world: LivingWorld, { life, sent }: Told): Promise<string> {
  const { order, law, gateway } = life;
  const processes = sent.map(({ process_id }) => process_id);
  return [
    `order ${order.id} (number ${order.number}, ${order.total} ${order.currency} in its smallest unit, ${order.status}): ${law}, ${gateway}`,
    `  expected ${textOf(endOf(life))}`,
    `  actual   ${textOf(await world.endOf(life))}`,
    ...sent.map(lineOf),
    ...world.summaries(processes, order.id).map((summary) => `    ${summary}`),
  ].join('\n');
}
