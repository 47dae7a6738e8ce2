import { createRequire } from 'node:module';
import { register } from 'tsx/cjs/api';

register();
const { pacedTable } = createRequire(import.meta.url)('./paced.ts');
const [rate, seconds, rounds] = process.argv.slice(2).map(Number);
console.log(await pacedTable({ rate, seconds, rounds }));
