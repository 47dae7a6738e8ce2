// The pages work without this: it fills in the address of this installation, copies commands, searches, and tries routes with the session of the console.

const base = document.documentElement.dataset.base;
for (const code of document.querySelectorAll('pre code')) {
  code.textContent = code.textContent.replaceAll('http://127.0.0.1:8080', `${location.origin}${base}`);
}

function button(text, press) {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.addEventListener('click', () => press(made));
  return made;
}

for (const pre of document.querySelectorAll('.command pre')) {
  pre.parentElement.append(
    button('Copy', async (pressed) => {
      await navigator.clipboard.writeText(pre.textContent);
      pressed.textContent = 'Copied';
      setTimeout(() => {
        pressed.textContent = 'Copy';
      }, 2000);
    }),
  );
}

// On a narrow screen the contents would push the page away.
const side = document.querySelector('details.side');
if (matchMedia('(max-width: 56rem)').matches) side.open = false;

const search = document.querySelector('#search');
const found = document.querySelector('#found');
search.closest('.search').hidden = false;

let entries;
async function load() {
  entries ??= fetch(`${base}/docs/search.json`).then((answer) => answer.json());
  return entries;
}

async function find() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const all = words.length === 0 ? [] : await load();
  const score = ({ title }) => words.filter((word) => title.toLowerCase().includes(word)).length;
  const hits = all
    .filter((entry) => words.every((word) => entry.words.includes(word)))
    .sort((a, b) => score(b) - score(a))
    .slice(0, 12);
  found.replaceChildren(
    ...hits.map(({ path, title, kind }) => {
      const item = document.createElement('li');
      const link = document.createElement('a');
      link.href = base + path;
      link.textContent = title;
      const small = document.createElement('small');
      small.textContent = kind;
      item.append(link, small);
      return item;
    }),
  );
  if (words.length > 0 && hits.length === 0) found.textContent = 'Nothing found.';
}
search.addEventListener('focus', load);
search.addEventListener('input', find);

// Routes that read are tried with the session of the console, in this browser alone.
for (const article of document.querySelectorAll('article.route[data-try]')) {
  const form = document.createElement('form');
  form.className = 'try';
  const input = document.createElement('input');
  input.value = article.dataset.try;
  input.setAttribute('aria-label', 'Address to read');
  const send = document.createElement('button');
  send.textContent = 'Send';
  const answer = document.createElement('pre');
  answer.hidden = true;
  answer.tabIndex = 0;
  form.append(input, send, answer);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    answer.hidden = false;
    try {
      const response = await fetch(base + input.value);
      const text = await response.text();
      const shown = response.headers.get('content-type')?.includes('json')
        ? JSON.stringify(JSON.parse(text), null, 2)
        : text;
      answer.textContent = `${response.status} ${response.statusText}\n${shown.slice(0, 20_000)}`;
    } catch (error) {
      answer.textContent = String(error);
    }
  });
  const details = document.createElement('details');
  const summary = document.createElement('summary');
  summary.textContent = 'Try it';
  details.append(summary, form);
  article.querySelector('.command').after(details);
}
