import known from './commands.json';
import { say } from './dialogs';
import type { Query } from './match';
import { place } from './router';
import { api, mayManage, revision, signOut } from './session';

/** What a person may choose: a page of the console, another address, or something that is done at once. */
export type Found = {
  readonly title: string;
  readonly about: string;
  readonly path?: string;
  readonly query?: Query;
  readonly href?: string;
  readonly act?: () => Promise<void>;
};

/** Whether each word of the text begins one of the title's. */
function hasWords(title: string, text: string): boolean {
  const words = ` ${title.toLowerCase()}`;
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(` ${word}`));
}

function commandTo([title, at]: [string, string]): Found {
  const { pathname: path, searchParams } = new URL(at, location.origin);
  return { title, about: 'Do', path, query: Object.fromEntries(searchParams) };
}

const leave: Found = { title: 'Sign out', about: 'Do', act: signOut };

/** Commands and guides whose names have the words. */
export function commandsFor(text: string): Found[] {
  if (text === '') return [];
  const pages = [...(mayManage.value ? Object.entries(known.commands).map(commandTo) : []), leave];
  const read = Object.entries(known.guides)
    .filter(([, { title, words }]) => hasWords(`${title} ${words}`, text))
    .map(([page, { title }]) => ({ title, about: 'Guide', href: `${place.base}/docs/guide/${page}` }));
  return [...pages.filter(({ title }) => hasWords(title, text)), ...read];
}

/** A sender to connect, by its name. */
export async function presetsFor(text: string): Promise<Found[]> {
  const answer = await api('GET /v1/webhooks/presets');
  const presets = answer.ok ? answer.body.presets : [];
  return presets
    .map(({ id, name }) => ({ title: `Connect ${name}`, about: 'Do', path: '/connections', query: { connect: id } }))
    .filter(({ title }) => hasWords(title, text));
}

/** "pause" and "resume" with the name of a sender, or its beginning. */
export async function switches(text: string): Promise<Found[]> {
  if (!mayManage.value || !/^(?:pause|resume)\b/i.test(text)) return [];
  const [gateways, connections, { ofConnection, ofGateway, pausedText }] = await Promise.all([
    api('GET /v1/webhooks/gateways'),
    api('GET /v1/webhooks'),
    import('../connections/sender-card'),
  ]);
  const senders = [
    ...(gateways.ok ? Object.values(gateways.body.gateways).map((one) => ofGateway(one)) : []),
    ...(connections.ok ? connections.body.connections.map((one) => ofConnection(one, undefined)) : []),
  ];
  const inUse = senders.filter(({ state }) => state !== 'inactive' && state !== 'disabled');
  const offered = inUse.map(({ title, paused, pause }): Found => {
    const switchTo = async (next: boolean): Promise<string> => {
      const answer = await pause(next);
      // What is shown is read again.
      revision.value += 1;
      return answer.ok ? pausedText(title, next, answer.body) : answer.body.message;
    };
    const act = async () => say(await switchTo(!paused), () => switchTo(paused));
    return { title: `${paused ? 'Resume' : 'Pause'} ${title}`, about: 'Do', act };
  });
  return offered.filter(({ title }) => hasWords(title, text));
}
