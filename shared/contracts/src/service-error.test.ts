import { z } from 'zod';
import { errorBodySchema, ServiceError, unavailable, violationsOf } from './service-error';

test('an error crosses the bus unchanged', () => {
  const error = new ServiceError(403, 'svc_licence_required', 'Needs a licence.', {
    violations: [{ path: 'a', message: 'b' }],
  });
  const back = ServiceError.fromBody(errorBodySchema.parse(JSON.parse(JSON.stringify(error.body()))));
  expect({ ...back.body(), name: back.name }).toEqual({ ...error.body(), name: 'ServiceError' });
  expect(back.data).toEqual(error.data);
});

test('data cannot change the status', () => {
  expect(new ServiceError(400, 'x', 'y', { status: 200 }).body().data.status).toBe(400);
  expect(unavailable('store').body()).toMatchObject({ code: 'svc_unavailable', data: { status: 503, part: 'store' } });
});

test('violations are named in the words of the body', () => {
  const { error } = z
    .object({ rule: z.object({ conditions: z.array(z.string()) }) })
    .safeParse({ rule: { conditions: ['a', 1] } });
  expect(error && violationsOf(error, 'body').map(({ path }) => path)).toEqual(['body.rule.conditions.1']);
});

test('violations are in words for people', () => {
  const schema = z.object({ id: z.string(), total: z.number(), name: z.string().regex(/^a/, 'must begin with an a') });
  const { error } = schema.safeParse({ id: 101, name: 'b' });
  expect(error && violationsOf(error)).toEqual([
    { path: 'id', message: 'must be text' },
    { path: 'total', message: 'is required' },
    { path: 'name', message: 'must begin with an a' },
  ]);
});
