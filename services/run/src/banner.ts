import type { Summary } from './embedded';

/** What a person who starts the product in a terminal reads. It can hold a password: it is for a terminal alone, never for a log. */
export function banner({ url, basePath, opsUrl, secretsFile, newAdministrator }: Summary): string {
  const signIn = newAdministrator
    ? `${newAdministrator.user}, password ${newAdministrator.password} (shown this once; it is kept in ${secretsFile})`
    : `the password of the administrator, if you never changed it, is ${secretsFile ? `in ${secretsFile}` : 'the one in ADMIN_PASSWORD'}`;
  const generated = secretsFile ?? 'none: all are set';
  const address = url + basePath;
  return [
    '',
    `Order automation is ready on ${address}`,
    '',
    `  Open       ${address}/`,
    `  Sign in    ${signIn}`,
    '',
    '  What to do next',
    `    make a first rule and see it work     ${address}/docs/guide/first-rule`,
    `    connect a payment gateway             ${address}/docs/guide/connect-a-gateway`,
    `    every route, with a command to copy   ${address}/docs`,
    '',
    `  Generated secrets   ${generated} (password and application password of the administrator, secret of the card webhook)`,
    `  Metrics and health  ${opsUrl}/metrics, /healthz, /readyz`,
    '',
    '',
  ].join('\n');
}
