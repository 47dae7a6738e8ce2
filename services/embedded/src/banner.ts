import type { Summary } from './embedded';

/** What a person who starts the product in a terminal reads. It can hold a password: it is for a terminal alone, never for a log. */
export function banner({ url, opsUrl, secretsFile, newAdministrator }: Summary): string {
  const administrator = newAdministrator
    ? [`  administrator       ${newAdministrator.user}, password ${newAdministrator.password} (shown this once)`]
    : [];
  return [
    '',
    `Order automation is ready on ${url}`,
    ...administrator,
    `  generated secrets   ${secretsFile} (password and application password of the administrator, secret of the card webhook)`,
    `  metrics and health  ${opsUrl}/metrics, /healthz, /readyz`,
    '',
    '',
  ].join('\n');
}
