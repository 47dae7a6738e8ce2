import { ConfigError, parseConfig } from '@order-automation/service';
import { intakeConfiguration } from './config';

const good = 'whsec_0123456789abcdef';

describe('intakeConfiguration', () => {
  it('needs nothing', () => {
    const config = parseConfig(intakeConfiguration, {});
    expect(config.cardSecrets.reveal()).toEqual([]);
    expect(config.requireConnection).toBe(false);
  });

  it('takes several secrets, newest first, and never prints them', () => {
    const config = parseConfig(intakeConfiguration, {
      GATEWAY_CARD_SECRETS: ` ${good}1 \n${good}2 `,
      GENERIC_REQUIRE_CONNECTION: 'true',
    });
    expect(config.cardSecrets.reveal()).toEqual([`${good}1`, `${good}2`]);
    expect(config.requireConnection).toBe(true);
    expect(JSON.stringify(config)).not.toContain(good);
  });

  it.each([
    [{ GATEWAY_CARD_SECRETS: `${good} short` }, 'GATEWAY_CARD_SECRETS'],
    [{ GATEWAY_CARD_SECRETS: '123456789012345' }, 'GATEWAY_CARD_SECRETS'],
    [{ GENERIC_REQUIRE_CONNECTION: 'perhaps' }, 'GENERIC_REQUIRE_CONNECTION'],
  ])('%j stops the start', (env, variable) => {
    const start = () => parseConfig(intakeConfiguration, env);
    expect(start).toThrow(ConfigError);
    expect(start).toThrow(variable);
  });
});
