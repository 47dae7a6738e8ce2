import type { ServiceError } from '@order-automation/contracts';
import { type Access, authorise, type Question } from './authorise';
import type { Identity, Role, Scope } from './identity';

const someone = (
  role: Role,
  kind: Identity['credential']['kind'] = 'application_password',
  scope: Scope = 'full',
): Identity => ({ userId: role, name: role, role, credential: { kind, id: 'c1', scope } });

function ask(access: Access, identity: Identity | undefined, others: Partial<Question> = {}): ServiceError | 'allowed' {
  const permission = authorise({
    access,
    method: 'GET',
    authentication: identity ? { kind: 'known', identity } : { kind: 'nobody', reason: 'no_credentials' },
    licence: extended,
    nonceHolds: () => false,
    ...others,
  });
  return 'denial' in permission ? permission.denial.error : 'allowed';
}

const extended = { edition: 'extended', expires_at: null, message: '' } as const;
const none = { ...extended, edition: 'default' } as const;

const manage = { needs: 'manage_shop' } as const;

describe('authorise', () => {
  test('nobody is 401, whatever the route asks', () => {
    expect(ask({ needs: 'anybody' }, undefined)).toMatchObject({ status: 401, code: 'rest_forbidden' });
  });

  test.each([
    ['administrator', 'manage_shop', true],
    ['shop_manager', 'manage_shop', true],
    ['shop_viewer', 'manage_shop', false],
    ['administrator', 'view_shop_reports', true],
    ['shop_manager', 'view_shop_reports', true],
    ['shop_viewer', 'view_shop_reports', true],
    ['shop_viewer', 'anybody', true],
    ['administrator', 'administrator', true],
    ['shop_manager', 'administrator', false],
    ['shop_viewer', 'administrator', false],
  ] as const)('%s on %s: %s', (role, needs, allowed) => {
    const answer = ask({ needs }, someone(role));
    if (allowed) expect(answer).toBe('allowed');
    else expect(answer).toMatchObject({ status: 403, code: 'rest_forbidden' });
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s in a cookie session wants a nonce', (method) => {
    const session = someone('administrator', 'session');
    expect(ask(manage, session, { method })).toMatchObject({ status: 401, code: 'rest_forbidden' });
    expect(ask(manage, session, { method, nonceHolds: () => true })).toBe('allowed');
    expect(ask(manage, someone('administrator'), { method })).toBe('allowed');
  });

  test('reading in a cookie session wants none', () => {
    expect(ask(manage, someone('administrator', 'session'))).toBe('allowed');
  });

  test('where a nonce is always wanted, application passwords need one too', () => {
    const access = { needs: 'view_shop_reports', nonce: 'always' } as const;
    expect(ask(access, someone('administrator'), { method: 'POST' })).toMatchObject({ status: 401 });
    expect(ask(access, someone('administrator'), { method: 'POST', nonceHolds: () => true })).toBe('allowed');
  });

  test('without a licence the extended edition is 403, once the caller may ask at all', () => {
    const access = { ...manage, extended: 'Rule debugging needs the extended edition.' } as const;
    expect(ask(access, someone('shop_manager'), { licence: none })).toMatchObject({
      status: 403,
      code: 'svc_licence_required',
    });
    expect(ask(access, someone('shop_viewer'), { licence: none })).toMatchObject({ code: 'rest_forbidden' });
    expect(ask(access, undefined, { licence: none })).toMatchObject({ status: 401 });
  });

  test.each([
    ['GET', 'allowed'],
    ['HEAD', 'allowed'],
    ['POST', 403],
    ['PUT', 403],
    ['PATCH', 403],
    ['DELETE', 403],
  ])('a credential that may only read, on %s: %s', (method, wanted) => {
    const answer = ask(manage, someone('administrator', 'application_password', 'read'), { method });
    expect(answer === 'allowed' ? answer : answer.status).toBe(wanted);
  });

  test('too many wrong application passwords from an address are 429, with the wait', () => {
    const answer = ask(manage, undefined, { authentication: { kind: 'too_many', waitMs: 1500 } });
    expect(answer).toMatchObject({ status: 429, data: { retry_after: 2 } });
    const soon = ask(manage, undefined, { authentication: { kind: 'too_many', waitMs: 500 } });
    expect(soon).toMatchObject({
      message: 'Too many attempts. Please try again in a second.',
      data: { retry_after: 1 },
    });
  });
});
