import { createRequire } from 'node:module';
import { register } from 'tsx/cjs/api';

/** `npm run bench:soak`; `npm run bench:soak -- --help` lists the options. */
register();
const { main } = createRequire(import.meta.url)('./soak.ts');
process.exitCode = await main(process.argv.slice(2));
