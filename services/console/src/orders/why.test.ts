import { sentenceOf } from './why';

const entry = (event_type: string, summary: string) => ({ event_type, summary, timestamp: '2026-11-23T02:48:38.000Z' });
const completed = entry('process_completed', 'none matched; nothing was changed.');
const failed = entry('rule_evaluation', 'Rule "A" did not match: order total is 17.375');
const done = entry('action_executed', 'Status changed');
const late = entry('late_payment', 'A payment completed while the order is cancelled.');

test.each([
  [[completed, failed], failed.summary],
  [[completed, done, failed], done.summary],
  [[completed, done, late], late.summary],
  [[completed], completed.summary],
  [[], undefined],
])('the sentence is what tells most', (entries, sentence) => {
  expect(sentenceOf(entries)).toBe(sentence);
});
