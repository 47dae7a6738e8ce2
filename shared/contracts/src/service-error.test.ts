import { errorBodySchema, ServiceError, unavailable } from './service-error';

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
