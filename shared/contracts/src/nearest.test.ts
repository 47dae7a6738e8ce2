import { nearest } from './nearest';

const known = ['name', 'enabled', 'position', 'stop_processing', 'rule'];

test.each([
  ['enabld', 'enabled'],
  ['Enabled', 'enabled'],
  ['nmae', 'name'],
  ['stopProcessing', 'stop_processing'],
  ['rules', 'rule'],
])('%s was meant to be %s', (word, meant) => {
  expect(nearest(word, known)).toBe(meant);
});

test.each(['version', 'x', '', 'q'.repeat(50)])('%p is none of them', (word) => {
  expect(nearest(word, known)).toBeUndefined();
});
