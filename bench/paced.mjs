import { createRequire } from 'node:module';
import { register } from 'tsx/cjs/api';

/** `npm run bench:paced -- 100 30 3`: webhooks a second, seconds of each measurement, rounds. Needs NATS_URL and MONGODB_URI; WORKERS is the composition. */
register();
const { pacedTable } = createRequire(import.meta.url)('./paced.ts');
const [rate = 100, seconds = 30, rounds = 3] = process.argv.slice(2).map(Number);
process.stdout.write(`${await pacedTable({ rate, seconds, rounds })}\n`);
