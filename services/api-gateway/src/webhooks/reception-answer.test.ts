import { failureText, limitHeaders, receptionText } from './reception-answer';

const reception = {
  success: true,
  message: '1 event "processed"',
  process_id: 'proc_1',
  events_processed: 1,
  duplicate: false,
};

describe('the body of a webhook answer (section 4.3 of the specification)', () => {
  test('success', () => {
    expect(JSON.parse(receptionText(reception, 12.4))).toEqual({
      success: true,
      message: '1 event "processed"',
      events_processed: 1,
      process_id: 'proc_1',
      execution_time: '12ms',
    });
  });

  test('duplicate', () => {
    const text = receptionText({ ...reception, events_processed: 0, duplicate: true }, 0);
    expect(JSON.parse(text)).toMatchObject({
      success: true,
      events_processed: 0,
      duplicate: true,
      execution_time: '0ms',
    });
  });

  test('failure has three keys', () => {
    const wanted = { success: false, message: 'no\n', process_id: 'proc_1' };
    expect(JSON.parse(receptionText({ ...reception, success: false, message: 'no\n' }, 5))).toEqual(wanted);
    expect(JSON.parse(failureText('no\n', 'proc_1'))).toEqual(wanted);
  });
});

test('a limit is answered as draft-ietf-httpapi-ratelimit-headers has it', () => {
  expect(limitHeaders({ quota: 500, remaining: 499, reset_seconds: 1 })).toEqual([
    'RateLimit-Policy',
    '"unproven";q=500',
    'RateLimit',
    '"unproven";r=499;t=1',
  ]);
});
