import { createRequire } from 'node:module';
import { register } from 'tsx/cjs/api';

/** `npm run bench:outage`: see outage.ts. */
register();
const { main } = createRequire(import.meta.url)('./outage.ts');
process.exitCode = await main(process.argv.slice(2));
