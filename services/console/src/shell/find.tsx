import { useEffect, useState } from 'preact/hooks';
import { isPersonal } from '../log/filters';
import { commandsFor, type Found, presetsFor, switches } from './commands';
import { close, Dialog } from './dialogs';
import { useSettled } from './load';
import { listedPages } from './pages';
import { go } from './router';
import { api, mayManage } from './session';
import { orderText } from './suggest';

/** What a text may mean, before the service is asked: an order by its id, a process, a page. */
function guesses(text: string): Found[] {
  const found: Found[] = [];
  const [, id] = /^(?:order )?#?(\d{1,16})$/i.exec(text) ?? [];
  if (id !== undefined) found.push({ path: `/orders/${id}`, title: `Order ${id}`, about: 'Order' });
  if (/^proc_\w+$/.test(text)) found.push({ path: `/log/${text}`, title: text, about: 'Process' });
  const words = text.toLowerCase();
  for (const { path, label = '' } of listedPages()) {
    if (words !== '' && label.toLowerCase().includes(words)) found.push({ path, title: label, about: 'Page' });
  }
  return [...found, ...commandsFor(text)];
}

/** What the service finds; where nothing has the text, its entries in the log: they name payments that no order has. */
async function search(text: string): Promise<Found[]> {
  if (text.length < 2) return [];
  const found = await (mayManage.value ? searchShop(text) : searchNumbers(text));
  const inLog = { path: '/log', query: { search: text }, title: `Search the log for “${text}”`, about: 'Log' };
  return found.length + guesses(text).length > 0 || isPersonal(text) ? found : [inLog];
}

async function searchShop(text: string): Promise<Found[]> {
  const [switched, presets, orders, rules] = await Promise.all([
    switches(text),
    presetsFor(text),
    api('GET /v1/shop/orders', { query: { search: text, per_page: 6 } }),
    api('GET /v1/rules', { query: { search: text, per_page: 5 } }),
  ]);
  return [
    ...switched,
    ...presets,
    ...(orders.ok ? orders.body.orders : []).map((order) => ({
      path: `/orders/${order.id}`,
      title: `Order ${order.id}`,
      about: orderText(order),
    })),
    ...(rules.ok ? rules.body.rules : []).map(({ id, name }) => ({ path: `/rules/${id}`, title: name, about: 'Rule' })),
  ];
}

/** Viewers see no names: an order is found by its whole number. */
async function searchNumbers(text: string): Promise<Found[]> {
  const answer = await api('GET /v1/shop/order-numbers', { query: { number: text } });
  const orders = answer.ok ? answer.body.orders : [];
  return orders.map(({ id, number }) => ({ path: `/orders/${id}`, title: `Order ${id}`, about: `number ${number}` }));
}

const keyOf = ({ about, title }: Found): string => about + title;

/** Finds orders by id, number, name or e-mail, processes, rules, pages and guides, and what can be done at once. */
export function Find() {
  const [text, setText] = useState('');
  const [answers, setAnswers] = useState<readonly Found[]>([]);
  const [chosen, setChosen] = useState('');
  const wanted = text.trim();
  const seen = new Set(answers.map(({ title }) => title));
  const found = [...answers, ...guesses(wanted).filter(({ title }) => !seen.has(title))];
  // What was chosen stays chosen when answers come before it.
  const at = Math.max(0, found.map(keyOf).indexOf(chosen));
  useEffect(() => {
    setAnswers([]);
    setChosen('');
  }, [wanted]);
  useSettled(180, () => search(wanted), setAnswers, [wanted]);
  const open = (entry: Found | undefined) => {
    if (!entry) return;
    close();
    if (entry.href) location.assign(entry.href);
    else void (entry.act ? entry.act() : go(entry.path ?? '/', entry.query));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setChosen(found.map(keyOf)[Math.max(0, Math.min(found.length - 1, at + step))] ?? '');
    else if (event.key === 'Enter') open(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Find">
      <input
        type="search"
        aria-label="An order, e-mail address, process, rule, page, guide or command"
        placeholder="Order, e-mail address, rule, page, “new rule”, “pause …”"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <ul class="plain found">
        {found.map((entry, index) => (
          <li key={keyOf(entry)}>
            <button type="button" class="entry" aria-current={index === at} onClick={() => open(entry)}>
              <strong dir="auto">{entry.title}</strong> <small dir="auto">{entry.about}</small>
            </button>
          </li>
        ))}
        {wanted !== '' && found.length === 0 && <li class="soft">Nothing found.</li>}
      </ul>
    </Dialog>
  );
}
