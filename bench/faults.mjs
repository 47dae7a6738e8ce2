import { createRequire } from 'node:module';
import { register } from 'tsx/cjs/api';

/** `npm run bench:faults`; `npm run bench:faults -- --help` lists the options. */
register();
const { main } = createRequire(import.meta.url)('./faults.ts');
process.exitCode = await main(process.argv.slice(2));
