import { createRequire } from 'node:module';
import { register } from 'tsx/cjs/api';

/** `npm run bench:cost`; `npm run bench:cost -- --help` lists the options. */
register();
const { main } = createRequire(import.meta.url)('./cost.ts');
process.exitCode = await main(process.argv.slice(2));
