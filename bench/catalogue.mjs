import { createRequire } from 'node:module';
import { register } from 'tsx/cjs/api';

/** `npm run bench:catalogue`; `npm run bench:catalogue -- --help` lists the options. */
register();
const { main } = createRequire(import.meta.url)('./catalogue.ts');
process.exitCode = await main(process.argv.slice(2));
