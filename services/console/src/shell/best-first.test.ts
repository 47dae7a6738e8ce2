import { bestFirst } from './best-first';

const named = (...labels: string[]) => labels.map((label) => ({ value: label.slice(0, 2).toUpperCase(), label }));
const labelsFor = (text: string, ...labels: string[]) => bestFirst(named(...labels), text).map(({ label }) => label);

test('a code or a whole name is the first suggestion, then what begins with the text, then what has it', () => {
  expect(labelsFor('de', 'Bangladesh', 'Sweden', 'Denmark')).toEqual(['Denmark', 'Bangladesh', 'Sweden']);
  const countries = [
    { value: 'BD', label: 'Bangladesh' },
    { value: 'DK', label: 'Denmark' },
    { value: 'DE', label: 'Germany' },
  ];
  expect(bestFirst(countries, 'DE')[0]).toEqual({ value: 'DE', label: 'Germany' });
  expect(bestFirst(countries, 'denmark')[0]?.value).toBe('DK');
});

test('what ranks the same stays in its order, and the list has an end', () => {
  expect(labelsFor('', 'Zaire', 'Austria')).toEqual(['Zaire', 'Austria']);
  expect(bestFirst(named(...Array.from({ length: 60 }, (_, one) => `x${one}`)), 'x')).toHaveLength(50);
});
