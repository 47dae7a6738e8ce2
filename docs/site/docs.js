// The pages can be read without this. It fills in the address of this installation, copies commands, searches, and tries routes.

const docs = new URL('..', import.meta.url);
const service = new URL('..', docs).href.replace(/\/$/, '');

for (const code of document.querySelectorAll('pre code'))
  code.textContent = code.textContent.replaceAll('http://127.0.0.1:8080', service);

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** A command that reads, with nothing but the address. */
const readingCommand = /^curl -sS (?:-u "\$LOGIN" )?"\$BASE(\/\S*)"\s*$/;

for (const command of document.querySelectorAll('.command')) {
  const { textContent: text } = command;
  const copy = element('button', { type: 'button', className: 'small', textContent: 'Copy' });
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    copy.textContent = 'Copied';
    setTimeout(() => (copy.textContent = 'Copy'), 2_000);
  });
  command.append(copy);
  const [, address] = readingCommand.exec(text) ?? [];
  if (address) command.after(element('details', {}, element('summary', { textContent: 'Try it' }), trial(address)));
}

/** Reads an address with the session of the console, from this browser alone. */
function trial(address) {
  const input = element('input', { value: address, ariaLabel: 'Address to read' });
  const answer = element('pre', { hidden: true, tabIndex: 0 });
  const form = element('form', { className: 'form try' }, input, element('button', { textContent: 'Send' }), answer);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    answer.hidden = false;
    try {
      const response = await fetch(service + input.value);
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json');
      const shown = isJson ? JSON.stringify(JSON.parse(text), null, 2) : text;
      answer.textContent = `${response.status} ${response.statusText}\n${shown.slice(0, 20_000)}`;
    } catch (error) {
      answer.textContent = String(error);
    }
  });
  return form;
}

const contents = document.querySelector('#contents');
contents.addEventListener('click', () => {
  contents.ariaExpanded = document.querySelector('.side').classList.toggle('open');
});

async function load() {
  const [{ default: MiniSearch }, answer] = await Promise.all([
    import('./minisearch.js'),
    fetch(new URL('search.json', docs)),
  ]);
  const { index, options } = await answer.json();
  return MiniSearch.loadJS(index, options);
}

const search = document.querySelector('#search');
let loaded;
async function find() {
  loaded ??= load();
  const words = search.value;
  const index = await loaded;
  const [all, some] = ['AND', 'OR'].map((combineWith) => () => index.search(words, { combineWith }));
  const found = all();
  const hits = (found.length > 0 ? found : some()).slice(0, 12);
  const items = hits.map(({ path, title, kind }) => {
    const link = element('a', { href: new URL(path, docs).href, textContent: title });
    return element('li', {}, link, element('small', { textContent: kind }));
  });
  if (words.trim() !== '' && items.length === 0) items.push(element('li', { textContent: 'Nothing found.' }));
  if (words === search.value) document.querySelector('#found').replaceChildren(...items);
}
search.addEventListener('focus', find);
search.addEventListener('input', find);
