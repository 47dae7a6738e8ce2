import { namesFor } from './nats-names';

describe('names on the server', () => {
  test('without a prefix the type is the subject', () => {
    const names = namesFor();
    expect(names.subject('intake.event-received.v1')).toBe('intake.event-received.v1');
    expect(names.stream('intake.event-received.v1')).toBe('intake-events');
    expect(names.consumer('intake.event-received.v1', 'evaluation')).toBe('intake_event-received_v1--evaluation');
  });

  test('a prefix is in front of everything', () => {
    const names = namesFor('shop-7');
    expect(names.subject('rules.changed.v1')).toBe('shop-7.rules.changed.v1');
    expect(names.streams().get('shop-7-rules-events')).toEqual(['shop-7.rules.changed.v1']);
  });

  test('streams list event types alone: a stream must never take a request', () => {
    const subjects = [...namesFor().streams().values()].flat();
    expect(subjects).toContain('intake.event-received.v1');
    expect(subjects).not.toContain('intake.receive.v1');
    expect(subjects.some((subject) => /[*>]/.test(subject))).toBe(false);
  });

  test.each(['a b', 'a.b', 'a>', '*', 'x'.repeat(101)])('%s is no prefix and no group', (name) => {
    const refusal = expect.objectContaining({ code: 'invalid_message' });
    expect(() => namesFor(name)).toThrow(refusal);
    expect(() => namesFor().consumer('rules.changed.v1', name)).toThrow(refusal);
  });

  test('no group at all has no consumer', () => {
    expect(() => namesFor().consumer('rules.changed.v1', '')).toThrow();
  });
});
