import { runProgram } from './program';

const ending = new AbortController();
process.once('SIGINT', () => ending.abort());
process.once('SIGTERM', () => ending.abort());
// A reader such as `head` that has enough is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
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
