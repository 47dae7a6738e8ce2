import { ConfigError, parseConfig } from '@order-automation/service';
import { intakeConfiguration } from './config';

const good = 'whsec_0123456789abcdef';
const SECRET_KEY = Buffer.alloc(32, 7).toString('base64');

describe('intakeConfiguration', () => {
  it('needs a key alone', () => {
    expect(() => parseConfig(intakeConfiguration, {})).toThrow('SECRET_KEY');
    const config = parseConfig(intakeConfiguration, { SECRET_KEY });
    expect(config.cardSecrets.reveal()).toEqual([]);
    expect(config.requireConnection).toBeUndefined();
  });

  it('takes several secrets, newest first, and never prints them', () => {
    const config = parseConfig(intakeConfiguration, {
      SECRET_KEY,
      GATEWAY_CARD_SECRETS: ` ${good}1 \n${good}2@2026-12-31T02:00:00+02:00 `,
      GENERIC_REQUIRE_CONNECTION: 'true',
    });
    expect(config.cardSecrets.reveal()).toEqual([
      { value: `${good}1`, expiresAt: null },
      { value: `${good}2`, expiresAt: Date.parse('2026-12-31T00:00:00Z') },
    ]);
    expect(config.requireConnection).toBe(true);
    expect(JSON.stringify(config)).not.toContain(good);
  });

  it.each([
    [{ GATEWAY_CARD_SECRETS: `${good} short` }, 'GATEWAY_CARD_SECRETS'],
    [{ GATEWAY_CARD_SECRETS: '123456789012345' }, 'GATEWAY_CARD_SECRETS'],
    [{ GATEWAY_CARD_SECRETS: `${good}@2026-99-31T00:00:00Z` }, '@2026-12-31T00:00:00Z'],
    [{ GATEWAY_CARD_SECRETS: `${good}@2026-12-31` }, '@2026-12-31T00:00:00Z'],
    [{ GATEWAY_CARD_SECRETS: `${good}@2026-12-31T00:00:00` }, 'with its zone'],
    [{ GATEWAY_CARD_SECRETS: `${good}@tomorrow` }, '@2026-12-31T00:00:00Z'],
    [{ GATEWAY_CARD_SECRETS: `${good}1,${good}2` }, 'white space'],
    [{ GATEWAY_SHOP_SECRETS: `${good}@` }, 'GATEWAY_SHOP_SECRETS'],
    [{ GENERIC_REQUIRE_CONNECTION: 'perhaps' }, 'GENERIC_REQUIRE_CONNECTION'],
    [{ GATEWAY_CARD_MODE: 'test' }, 'GATEWAY_CARD_MODE'],
    [{ INTAKE_UNAUTHENTICATED_BYTES: 'much' }, 'INTAKE_UNAUTHENTICATED_BYTES'],
  ])('%j stops the start', (env, variable) => {
    const start = () => parseConfig(intakeConfiguration, { SECRET_KEY, ...env });
    expect(start).toThrow(ConfigError);
    expect(start).toThrow(variable);
  });
});
