import { createRequire } from 'node:module';
import { register } from 'tsx/cjs/api';

/** `npm run bench`; `npm run bench -- --help` lists the options. */
register();
const { main } = createRequire(import.meta.url)('./throughput.ts');
process.exitCode = await main(process.argv.slice(2));
