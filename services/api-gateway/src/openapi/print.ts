import { table } from '../routes';
import { openApiOf } from './document';

/** `npm run openapi`: the OpenAPI document on standard output, for programs that check it or read it. */
process.stdout.write(`${JSON.stringify(openApiOf(table, { version: '1', basePath: '' }), null, 2)}\n`);
