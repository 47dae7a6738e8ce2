import type { Written } from '../wire';
import { envelopes } from './nats-publish';

const texts = (count: number, type: Written['type'] = 'rules.changed.v1'): Written[] =>
  Array.from({ length: count }, (_, index) => ({ type, text: `{"n":${index}}` }));

test('what is published together travels together, in order, at most 16 in an envelope', () => {
  const made = envelopes(texts(40));
  expect(made.map(({ text }) => text.split('\n').length)).toEqual([16, 16, 8]);
  expect(made.flatMap(({ text }) => text.split('\n'))).toEqual(texts(40).map(({ text }) => text));
});

test('an envelope has one type, and large messages travel alone', () => {
  expect(envelopes([...texts(2), ...texts(1, 'evaluation.events-done.v1'), ...texts(1)])).toHaveLength(3);
  const large = { type: 'rules.changed.v1', text: JSON.stringify('x'.repeat(200_000)) } as const;
  expect(envelopes([large, large, large])).toHaveLength(3);
});
