// The pages work without this: it fills in the address of this installation, copies commands and narrows the list of routes.

const base = document.documentElement.dataset.base;
for (const code of document.querySelectorAll('pre code')) {
  code.textContent = code.textContent.replaceAll('http://127.0.0.1:8080', `${location.origin}${base}`);
}

for (const pre of document.querySelectorAll('.command pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(pre.textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
  pre.parentElement.append(button);
}

const search = document.querySelector('#search-routes');
if (search) {
  search.closest('.search').hidden = false;
  search.addEventListener('input', () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const item of document.querySelectorAll('.toc li[data-text]')) {
      item.hidden = !words.every((word) => item.dataset.text.includes(word));
    }
  });
}
