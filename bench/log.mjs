import { createRequire } from 'node:module';
import { register } from 'tsx/cjs/api';

/** `npm run bench:log`; `npm run bench:log -- --help` lists the options. */
register();
const { main } = createRequire(import.meta.url)('./log.ts');
process.exitCode = await main(process.argv.slice(2));
