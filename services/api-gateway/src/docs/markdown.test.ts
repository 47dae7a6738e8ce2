import { rendered, sectionsOf } from './markdown';

const source =
  '# A guide\n\nBefore.\n\n## The second part\n\nWords.\n\n```sh\n# no heading\n```\n\n### Deeper\n\nMore.';

test('headings have addresses, links lead to pages, and HTML stays text', () => {
  const { text } = rendered(`${source}\n\n[why](why-did-an-order-not-move.md#here) <b>bold</b>`);
  expect(text).toContain('<h2 id="the-second-part">');
  expect(text).toContain('<a href="why-did-an-order-not-move#here">');
  expect(text).toContain('&lt;b&gt;');
});

test('a text has its parts by heading', () => {
  expect(sectionsOf(source)).toEqual([
    { heading: 'A guide', slug: '', text: 'Before.' },
    { heading: 'The second part', slug: 'the-second-part', text: 'Words.' },
    { heading: 'Deeper', slug: 'deeper', text: 'More.' },
  ]);
});
