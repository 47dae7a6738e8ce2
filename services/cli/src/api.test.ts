import { refusal } from './api';

// decisions.md, section 1: errors name what is wrong; what is about the whole body, or about the caller, has no path.
test('what is wrong with a whole body is said without the name of a field', () => {
  const violations = [
    { path: '', message: 'must be an object' },
    { path: 'name', message: 'is missing' },
  ];
  const { message } = refusal(400, { code: 'rest_invalid_param', message: 'Not valid.', data: { violations } });
  expect(message).toBe('Not valid.\n  must be an object\n  name: is missing (rest_invalid_param)');
});
