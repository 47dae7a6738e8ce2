import { html } from './html';

test('what is put into a template is escaped, unless it is HTML', () => {
  const { text } = html`<p title="${'"a" & <b>'}">${html`<b>${'<i>'}</b>`}${[1, html`<br>`]}${undefined}${false}</p>`;
  expect(text).toBe('<p title="&quot;a&quot; &amp; &lt;b&gt;"><b>&lt;i&gt;</b>1<br></p>');
});
