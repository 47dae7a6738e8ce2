import { rendered, sectionsOf } from './markdown';

const source =
  '# A guide\n\nBefore.\n\n## The second part\n\nWords.\n\n```sh\n# no heading\n```\n\n### Deeper\n\nMore.';

test('headings have addresses, links lead to pages, and HTML stays text', () => {
  const text = rendered(
    `${source}\n\n## List {#get-list}\n\n### Deeper\n\n[why](why-did-an-order-not-move.md#here) [us](https://a.example/b.md) <b>bold</b>`,
    '../',
  );
  expect(text).toContain('<h2 id="the-second-part">The second part</h2>');
  expect(text).toContain('<h2 id="get-list">List</h2>');
  expect(text.match(/id="deeper"/g)).toHaveLength(1);
  expect(text).toContain('<a href="../guide/why-did-an-order-not-move#here">');
  expect(text).toContain('<a href="https://a.example/b.md">');
  expect(text).toContain('&lt;b&gt;');
});

test('a text has its parts by heading', () => {
  expect(sectionsOf(source)).toEqual([
    { heading: 'A guide', id: '', text: 'Before.\n' },
    { heading: 'The second part', id: 'the-second-part', text: 'Words.\n' },
    { heading: 'Deeper', id: 'deeper', text: 'More.\n' },
  ]);
});
