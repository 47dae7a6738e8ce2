import { createRequire } from 'node:module';
import { register } from 'tsx/cjs/api';

/** `npm run bench:arrival-order`: what the check of the order of arrival costs. */
register();
const { main } = createRequire(import.meta.url)('./arrival-order.ts');
process.exitCode = await main();
