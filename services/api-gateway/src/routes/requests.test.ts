import { z } from 'zod';
import { listRequest } from './audit-log';
import { booleanText, idText, parseQuery, wholeNumberText } from './parameters';
import { readBody } from './rule-data';
import { executionTime, plainTimestamp } from './times';
import { requiredVersion, requireVersion } from './version-tag';

describe('parameters', () => {
  const schema = z.object({
    page: wholeNumberText(1, 1000).default(1),
    flag: booleanText.default(false),
    id: idText.optional(),
  });

  test('text becomes what it stands for', () => {
    expect(parseQuery(schema, { page: '1000', flag: '1', id: '7' })).toEqual({ page: 1000, flag: true, id: 7 });
  });

  test('empty is not given', () => {
    expect(parseQuery(schema, { page: '', flag: '', id: '' })).toEqual({ page: 1, flag: false });
  });

  test.each([
    { page: ['1', '2'] },
    { page: { $ne: '' } },
    { page: '0' },
    { page: '1001' },
    { page: '1.5' },
    { page: '1e2' },
    { page: '0x10' },
    { page: ' 1' },
    { page: '٣' },
    { page: '9'.repeat(400) },
    { flag: 'yes' },
    { id: '0' },
    { id: '9007199254740993' },
    { id: '-1' },
  ])('refuses %j', (query) => {
    expect(() => parseQuery(schema, query)).toThrow(z.ZodError);
  });
});

describe('audit log list', () => {
  test('no filter, no echo; defaults of the specification', () => {
    expect(listRequest({})).toEqual({
      query: { page: 1, per_page: 20, view: 'consolidated', filters: { include_debug: false, include_test: false } },
      filters: {},
    });
  });

  test('filters are echoed as they are in force', () => {
    const { query, filters } = listRequest({ view: 'flat', source: 'webhook', order_id: '12', include_test: 'true' });
    expect(filters).toEqual({ source: 'webhook', order_id: 12 });
    expect(query.filters).toEqual({ include_debug: false, include_test: true, source: ['webhook'], order_id: [12] });
  });

  test.each([
    { per_page: '201' },
    { page: '1001' },
    { view: 'grouped' },
    { source: 'nobody' },
    { status: 'ok' },
    { search: 'x' },
    { process_id: '../x' },
  ])('refuses %j', (query) => {
    expect(() => listRequest(query)).toThrow(z.ZodError);
  });
});

describe('rule body', () => {
  const data = { trigger: {}, conditions: [], primaryAction: null, secondaryActions: [] };

  test('bare and wrapped are the same', () => {
    expect(readBody(data)).toEqual({ rule: data, userContext: {} });
    const audit = { action: 'save', user_context: { user_agent: 'a', page_url: 'b' } };
    expect(readBody({ rule: data, audit })).toEqual({ rule: data, userContext: { user_agent: 'a', page_url: 'b' } });
    expect(readBody({ rule: data })).toEqual({ rule: data, userContext: {} });
  });

  test.each([[undefined], [null], [[]], ['text'], [{ rule: data, audit: 'x' }]])('refuses %j', (body) => {
    expect(() => readBody(body)).toThrow(z.ZodError);
  });
});

describe('If-Match', () => {
  test.each([
    [undefined, null],
    ['', null],
    ['*', null],
    ['"7"', 7],
    [' "12" ', 12],
    ['W/"7"', 0],
    ['7', 0],
    ['"x"', 0],
  ])('%p asks for version %p', (header, version) => {
    expect(requiredVersion(header)).toBe(version);
  });

  test('one tag only', () => {
    expect(() => requiredVersion('"1", "2"')).toThrow(expect.objectContaining({ status: 400 }));
  });

  test('another version is 412', () => {
    expect(() => requireVersion(1, 2)).toThrow(expect.objectContaining({ status: 412, code: 'svc_version_conflict' }));
    expect(requireVersion(2, 2)).toBeUndefined();
    expect(requireVersion(null, 2)).toBeUndefined();
  });
});

test('times as the specification shows them', () => {
  expect(plainTimestamp(Date.UTC(2025, 0, 2, 3, 4, 5, 678))).toBe('2025-01-02 03:04:05');
  expect(executionTime(1.23456)).toBe(1.23);
});
