import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findLanes } from './global-setup';

/** jest's globalSetup of the e2e project: what the stories start are the built programs, so they are built first. */
export default async function setUp(): Promise<void> {
  const root = join(__dirname, '../../..');
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [compiler, '-b', root], { cwd: root }).catch(
    (cause: { stdout?: string }) => {
      throw new Error(`the programs could not be built:\n${cause.stdout ?? ''}`, { cause });
    },
  );
  for (const [program, ...args] of [
    ['services/console/build.mjs'],
    ['node_modules/tsx/dist/cli.mjs', 'docs/site/build.ts'],
  ])
    await promisify(execFile)(process.execPath, [join(root, program ?? ''), ...args], { cwd: root }).catch(
      (cause: { stderr?: string }) => {
        throw new Error(`${[program, ...args].join(' ')} failed:\n${cause.stderr ?? ''}`, { cause });
      },
    );
  await findLanes();
}
