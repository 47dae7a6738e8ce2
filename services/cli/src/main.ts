import { exitCodes } from './failure';
import { runProgram } from './program';

const ending = new AbortController();
process.once('SIGINT', () => ending.abort());
process.once('SIGTERM', () => ending.abort());
// A reader such as `head` that has enough is no failure.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(exitCodes.done);
  process.stderr.write(`The answer cannot be written (${code}).\n`);
  process.exit(exitCodes.usage);
});

const terminal = {
  write: (text: string) => void process.stdout.write(text),
  warn: (text: string) => void process.stderr.write(text),
  isInteractive: process.stdout.isTTY === true && process.stdin.isTTY === true,
  width: process.stdout.columns ?? 120,
};
void runProgram(process.argv.slice(2), {
  env: process.env,
  terminal,
  input: process.stdin,
  signal: ending.signal,
}).then((code) => {
  process.exitCode = code;
  process.stdin.unref?.();
});
