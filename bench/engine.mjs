import { createRequire } from 'node:module';
import { register } from 'tsx/cjs/api';

/** `npm run bench:rules`: what one event costs the engine (P6). */
register();
const { main } = createRequire(import.meta.url)('./engine.ts');
process.exitCode = main();
