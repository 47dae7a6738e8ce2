import { createRequire } from 'node:module';
import { register } from 'tsx/cjs/api';

/** `npm run bench:backtest`; `npm run bench:backtest -- --help` lists the options. */
register();
const { main } = createRequire(import.meta.url)('./backtest.ts');
process.exitCode = await main(process.argv.slice(2));
