import { check } from '@order-automation/contracts';
import { z } from 'zod';
import { auditFilterBody, auditFilterParameters, auditFilters } from '../routes/audit-log/audit-filters';
import { auditListQuery } from '../routes/audit-log/audit-log';
import { ruleSaveBody } from '../routes/rules/rule-data';
import { executionTime, plainTimestamp } from './answer';
import { booleanText, idText, wholeNumberText } from './parameters';
import { validated } from './validate';
import { namedVersions, requiredVersion } from './version-tag';

describe('a request against its row', () => {
  const row = {
    tag: 'Rules' as const,
    params: z.object({ id: idText }),
    query: z.object({ page: wholeNumberText(1, 1000).default(1), flag: booleanText.default(false) }),
    body: z.strictObject({ name: z.string(), enabled: z.boolean().optional() }),
  };

  test('text becomes what it stands for', () => {
    const received = { params: { id: '7' }, query: { page: '1000', flag: '1' }, body: { name: 'a' } };
    expect(validated(row, received)).toEqual({
      params: { id: 7 },
      query: { page: 1000, flag: true },
      body: { name: 'a' },
    });
  });

  test('a parameter without a value counts as absent', () => {
    const { query } = validated(row, { params: { id: '7' }, query: { page: '', flag: '' }, body: { name: 'a' } });
    expect(query).toEqual({ page: 1, flag: false });
  });

  test('path, query and body are refused together', () => {
    const received = { params: { id: 'x' }, query: { page: '0' }, body: { enabld: true } };
    expect(() => validated(row, received)).toThrow(
      expect.objectContaining({
        status: 400,
        code: 'rest_invalid_param',
        data: {
          violations: [
            { path: 'id', message: 'must be a whole number from 1 to 9007199254740991' },
            { path: 'page', message: 'must be a whole number from 1 to 1000' },
            { path: 'name', message: 'is required' },
            { path: 'enabld', message: 'is not a known field; did you mean enabled?' },
          ],
        },
      }),
    );
  });

  test.each([
    ['pgae', 'is not a known parameter; did you mean page?'],
    ['page[$ne]', 'is not a known parameter'],
    ['__proto__', 'is not a known parameter'],
  ])('the unknown parameter %s is refused, also without a value', (path, message) => {
    const query = Object.fromEntries([[path, '']]);
    const refusal = refusalOf(() => validated(row, { params: { id: '7' }, query, body: { name: 'a' } }));
    expect(refusal).toMatchObject({ code: 'rest_invalid_param', data: { violations: [{ path, message }] } });
  });

  test('a route without parameters refuses them too; pages ignore what others add', () => {
    const received = { params: {}, query: { utm_source: 'mail' }, body: undefined };
    expect(refusalOf(() => validated({ tag: 'Rules' }, received))).toMatchObject({ code: 'rest_invalid_param' });
    expect(validated({ tag: 'Documentation' }, received).query).toBeUndefined();
  });

  test('what is only missing has a code of its own', () => {
    expect(() => validated(row, { params: { id: '7' }, query: {}, body: undefined })).toThrow(
      expect.objectContaining({ code: 'rest_missing_callback_param' }),
    );
  });

  test('at most 50 violations are listed, and the answer says how many more there are', () => {
    const body = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`x${index}`.repeat(100), 1]));
    const refusal = refusalOf(() => validated(row, { params: { id: '7' }, query: {}, body }));
    expect(refusal.data.violations).toHaveLength(50);
    expect(refusal).toMatchObject({
      data: { violations_omitted: 59_951 },
      message: expect.stringContaining('59951 more'),
    });
    expect(JSON.stringify(refusal.data).length).toBeLessThan(40_000);
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
  ])('refuses the query %j', (query) => {
    expect(check(row.query, query).ok).toBe(false);
  });

  test.each(['0', '9007199254740993', '-1'])('refuses the id %s', (id) => {
    expect(check(row.params, { id }).ok).toBe(false);
  });
});

function refusalOf(action: () => unknown): { message: string; data: Record<string, unknown> } {
  try {
    action();
  } catch (error) {
    return error as { message: string; data: Record<string, unknown> };
  }
  throw new Error('nothing was refused');
}

describe('audit log list', () => {
  const read = (query: Record<string, string>) => auditFilters(z.object(auditFilterParameters).parse(query));

  test('no filter, no echo; defaults of the specification', () => {
    const { page, per_page, view } = auditListQuery.parse({});
    expect([page, per_page, view]).toEqual([1, 20, 'consolidated']);
    expect(read({})).toEqual({ filters: { include_debug: false, include_test: false }, echoed: {} });
  });

  test('filters are echoed as they are in force: one value alone, several as a list', () => {
    const { filters, echoed } = read({ source: 'webhook,api,webhook', order_id: '12', include_test: 'true' });
    expect(echoed).toEqual({ source: ['webhook', 'api'], order_id: 12 });
    expect(filters).toEqual({ include_debug: false, include_test: true, source: ['webhook', 'api'], order_id: [12] });
  });

  test('a saved filter is what answers show, or the text of a parameter; what is set beside it takes its place', () => {
    const saved = auditFilterBody.parse({ source: ['webhook', 'api'], order_id: 12, include_test: true });
    expect(saved).toEqual(auditFilterBody.parse({ source: 'webhook,api', order_id: '12', include_test: 'true' }));
    const chosen = z.object(auditFilterParameters).parse({ order_id: '13', include_test: 'false', status: 'error' });
    const { filters, echoed } = auditFilters(chosen, saved);
    expect(echoed).toEqual({ source: ['webhook', 'api'], order_id: 13, status: 'error' });
    expect(filters).toMatchObject({ include_debug: false, include_test: false, order_id: [13] });
    expect(auditFilters({}, saved).filters.include_test).toBe(true);
  });

  test('a saved filter is refused by the words of the list', () => {
    const wrong = check(auditFilterBody, { ordr_id: 1, source: 'martian', date_from: 'soon', status: [] });
    expect(wrong.ok ? [] : wrong.violations).toEqual([
      { path: 'source.0', message: expect.stringMatching(/^must be one of manual, webhook/) },
      { path: 'status', message: 'must not be empty' },
      { path: 'date_from', message: expect.stringContaining('must be a day such as 2026-02-01') },
      { path: 'ordr_id', message: 'is not a known field; did you mean order_id?' },
    ]);
  });

  test('a day is all of it, a time is what it is in UTC', () => {
    expect(read({ date_from: '2026-02-01', date_to: '2026-02-01' }).echoed).toEqual({
      date_from: '2026-02-01T00:00:00.000Z',
      date_to: '2026-02-01T23:59:59.999Z',
    });
    expect(read({ date_from: '2026-02-01T10:00:00+02:00' }).echoed.date_from).toBe('2026-02-01T08:00:00.000Z');
  });

  test.each([
    { per_page: '201' },
    { page: '1001' },
    { view: 'grouped' },
    { source: 'nobody' },
    { status: 'ok' },
    { status: 'success,ok' },
    { date_from: 'yesterday' },
    { date_from: '2026-02-31' },
    { order_id: Array.from({ length: 21 }, (_, id) => id).join(',') },
    { process_id: '../x' },
  ])('refuses %j', (query) => {
    expect(check(auditListQuery, query).ok).toBe(false);
  });
});

describe('rule body', () => {
  const data = { trigger: {}, conditions: [], primaryAction: null, secondaryActions: [] };
  const read = (body: unknown) => ruleSaveBody.parse(body);

  test('bare and wrapped are the same', () => {
    expect(read(data)).toEqual({ rule: data, path: '', note: {} });
    expect(read({ rule: data })).toEqual({ rule: data, path: 'rule', note: {} });
    const audit = { action: 'save', user_context: { user_agent: 'a', page_url: 'b' } };
    expect(read({ rule: data, audit })).toEqual({
      path: 'rule',
      rule: data,
      note: { action: 'save', user_agent: 'a', page_url: 'b' },
    });
  });

  test.each([undefined, null, [], 'text'])('refuses %j', (body) => {
    expect(check(ruleSaveBody, body).ok).toBe(false);
  });

  test.each([
    [{ rule: data, audit: 'x' }, 'audit must be an object'],
    [{ rule: data, adit: {} }, 'adit is not a known field; did you mean audit?'],
    [{ rule: data, audit: { user_context: { page: 'x' } } }, 'audit.user_context.page is not a known field'],
  ])('%j: %s', (body, violation) => {
    const checked = check(ruleSaveBody, body);
    expect(checked.ok ? [] : checked.violations.map(({ path, message }) => `${path} ${message}`)).toEqual([violation]);
  });
});

describe('If-Match', () => {
  test.each([
    [undefined, null],
    ['', null],
    ['*', null],
    ['"7"', [7]],
    [' "12" ', [12]],
    ['W/"7"', [0]],
    ['7', [0]],
    ['"x"', [0]],
    ['"1", W/"2","3"', [1, 0, 3]],
    ['"1", *', null],
  ])('%p names the versions %p', (header, versions) => {
    expect(namedVersions(header)).toEqual(versions);
  });

  test.each([
    ['"1", "7"', 7],
    ['"1", "2"', 0],
    ['"7"', 7],
    ['*', null],
  ])('of %p, a rule of version 7 is asked for in version %p', async (header, version) => {
    const ask = (async () => ({ record: { version: 7 } })) as never;
    expect(await requiredVersion({ header: () => header, ask }, 1)).toBe(version);
  });
});

test('times as the specification shows them', () => {
  expect(plainTimestamp(Date.UTC(2025, 0, 2, 3, 4, 5, 678))).toBe('2025-01-02 03:04:05');
  expect(executionTime(1.23456)).toBe(1.23);
});
