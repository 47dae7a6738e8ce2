import { BusError } from '@order-automation/bus';
import { check, invalidParameters, ServiceError } from '@order-automation/contracts';
import { StoreUnavailableError } from '@order-automation/store';
import { z } from 'zod';
import { errorAnswer } from './answers';

function refusalOf(schema: z.ZodType, value: unknown) {
  const checked = check(schema, value);
  return checked.ok ? undefined : invalidParameters(checked.violations);
}

test('a refusal meant for the caller passes unchanged', () => {
  const { status, body, unexpected } = errorAnswer(
    new ServiceError(404, 'svc_rule_not_found', 'No such rule.', { id: 7 }),
  );
  expect({ status, body, unexpected }).toEqual({
    status: 404,
    body: { code: 'svc_rule_not_found', message: 'No such rule.', data: { id: 7, status: 404 } },
    unexpected: false,
  });
});

test('all violations are listed; only missing ones have their own code', () => {
  const schema = z.object({ source: z.string(), limit: z.int() });
  expect(errorAnswer(refusalOf(schema, {})).body).toMatchObject({
    code: 'rest_missing_callback_param',
    data: { status: 400, violations: [{ path: 'source' }, { path: 'limit' }] },
  });
  expect(errorAnswer(refusalOf(schema, { limit: 'x' })).body).toMatchObject({
    code: 'rest_invalid_param',
    data: { status: 400, violations: [{ path: 'source' }, { path: 'limit' }] },
  });
});

test.each(['no_responder', 'timeout', 'unavailable', 'closed'] as const)('the bus being away (%s) is 503', (code) => {
  expect(errorAnswer(new BusError(code, 'nats://inner:4222'))).toMatchObject({
    status: 503,
    body: { code: 'svc_unavailable', data: { part: 'bus' } },
    headers: { 'Retry-After': '1' },
    unexpected: false,
  });
});

test('an answer that does not come in time says that it may still be done', () => {
  const { message } = errorAnswer(new BusError('timeout', 'inner')).body;
  expect(message).toContain('A change that you asked for may still be made: look before you ask again.');
});

test('the store being away is 503', () => {
  expect(errorAnswer(new StoreUnavailableError('E11000 inner'))).toMatchObject({
    status: 503,
    body: { data: { part: 'store' } },
  });
});

test.each([
  new Error('canary'),
  new BusError('invalid_message', 'canary'),
  new ServiceError(200, 'odd', 'canary'),
  new TypeError('canary', { cause: 'canary' }),
  'canary',
  undefined,
])('%p is 500 without a word of it', (error) => {
  const answer = errorAnswer(error);
  expect(answer).toMatchObject({
    status: 500,
    body: { code: 'svc_internal_error', data: { status: 500 } },
    unexpected: true,
  });
  expect(JSON.stringify(answer)).not.toContain('canary');
});

test('a wait is in the header too', () => {
  const limited = new ServiceError(429, 'svc_too_many_attempts', 'Wait.', { retry_after: 2.1 });
  expect(errorAnswer(limited).headers).toEqual({ 'Retry-After': '3', RateLimit: '"attempts";r=0;t=3' });
  expect(errorAnswer(new ServiceError(429, 'x', 'Wait.', { retry_after: '2\r\nX: y' })).headers).toEqual({});
});
