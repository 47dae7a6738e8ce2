import { createRequire } from 'node:module';
import { register } from 'tsx/cjs/api';

/** `node bench/flush.mjs`; `--help` lists the options. */
register();
const { main } = createRequire(import.meta.url)('./flush.ts');
process.exitCode = await main(process.argv.slice(2));
