import './node-version';
import './compile-cache';
import { join } from 'node:path';
import { spawnThread } from './threads/thread-spawn';

/** The thread loads its modules while this one loads its own, which are most of the time until a webhook is accepted. */
const processing = spawnThread('processing', join(__dirname, 'threads', 'processing-thread.js'));

void import('./program.js').then(({ main, refuse }) => main(processing).catch(refuse));
