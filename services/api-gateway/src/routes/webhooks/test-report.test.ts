import { testReport } from './test-report';

test('times are in tenths of a millisecond, and a test that was not evaluated has no time for it', () => {
  const tested = {
    test_id: 'test_1',
    event_type: 'payment_completed',
    order_id: 1001,
    success: true,
    process_id: 'proc_1',
    events_processed: 1,
    result: 'evaluated',
    outcome: 'no_rules',
    reason: null,
    entries: [],
    intake_ms: 2.978759000001446,
    evaluation_ms: 10.04,
    recommendations: [],
  } as const;
  const report = (over: { evaluation_ms?: null }) =>
    testReport('gateway_card', { ...tested, entries: [], recommendations: [], ...over }, { total: 13.55, now: 0 });
  expect(report({}).performance).toEqual({ intake_ms: 3, evaluation_ms: 10, total_ms: 13.6 });
  expect(report({ evaluation_ms: null }).performance.evaluation_ms).toBeNull();
});
