import { join } from 'node:path';
import { spawnThread } from './thread-spawn';

/** The thread loads its modules while this one loads its own, which are most of the time until a webhook is accepted. */
const processing = spawnThread('processing', join(__dirname, 'processing-thread.js'));

void import('./program.js').then(({ main, refuse }) => main(processing).catch(refuse));
