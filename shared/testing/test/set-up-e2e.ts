import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findLanes } from './global-setup';

const root = join(__dirname, '../../..');

async function runProgram(...args: readonly [program: string, ...string[]]): Promise<void> {
  await promisify(execFile)(process.execPath, args, { cwd: root }).catch(
    (cause: { stdout?: string; stderr?: string }) => {
      throw new Error(`${args.join(' ')} failed:\n${cause.stdout ?? ''}${cause.stderr ?? ''}`, { cause });
    },
  );
}

/** jest's globalSetup of the e2e project: what the stories start are the built programs, so they are built first. */
export default async function setUp(): Promise<void> {
  await runProgram('node_modules/typescript/bin/tsc', '-b', root);
  await runProgram('services/console/build.mjs');
  await runProgram('node_modules/tsx/dist/cli.mjs', 'docs/site/build.ts');
  await findLanes();
}
