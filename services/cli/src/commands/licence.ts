import type { Command } from 'commander';
import { type Context, show } from '../context';
import { facts, shortTime } from '../output';

/** `licence`: what an installation is licensed for; keys and licences are made by the vendor, without an installation. */
export function addLicence(program: Command, context: Context): void {
  const { terminal } = context;
  const licence = program
    .command('licence')
    .description('the licence of an installation; keys and licences of the vendor');
  licence
    .command('show', { isDefault: true })
    .description('say what the installation is licensed for')
    .action(async () => {
      const answer = await context.api().call('GET /pro/v1/licence');
      show(context, answer, () =>
        facts([
          ['edition', answer.edition],
          ['licensee', answer.licensee],
          ['features', answer.features.join(', ')],
          ['expires', shortTime(answer.expires_at)],
          ['note', answer.message],
        ]),
      );
    });
  licence
    .command('new-key')
    .argument('<directory>', 'where the two files go')
    .description(
      'make a key pair: licence-private-key.json stays with the vendor, licence-keys.json is for LICENCE_PUBLIC_KEYS_FILE',
    )
    .action(async (directory: string) => {
      const { writeNewKey } = await import('@order-automation/api-gateway/licence-tool');
      terminal.write(await writeNewKey(directory));
    });
  licence
    .command('issue')
    .requiredOption('--key <file>', 'licence-private-key.json')
    .requiredOption('--licensee <name>', 'whom it is for')
    .option('--expires <date>', 'such as 2027-12-31; without it the licence does not expire')
    .option('--features <list>', 'separated by commas', 'rule_debugging')
    .description('print a signed licence of the extended edition for LICENCE_KEY')
    .action(async (options: { key: string; licensee: string; expires?: string; features: string }) => {
      const { licenceText } = await import('@order-automation/api-gateway/licence-tool');
      terminal.write(await licenceText(options));
    });
}
