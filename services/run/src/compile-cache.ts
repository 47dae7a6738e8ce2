import * as nodeModule from 'node:module';
import { join } from 'node:path';

/** Not in the types of the oldest Node.js that runs this, which lacks it. */
const { enableCompileCache }: typeof nodeModule & { enableCompileCache?: (folder: string) => unknown } = nodeModule;

/**
 * Node.js 22 and newer keep what V8 made of the modules, and the next start loads them a fifth faster. It is kept beside the modules, not in a folder
 * where another user of the machine could write; an older Node.js and a folder that is read-only go without.
 */
enableCompileCache?.(join(__dirname, '..', '..', '..', 'node_modules', '.cache', 'compile'));
