/** A program under supervision: appends `<name> stopping` to a file when asked to stop; its behaviour comes from the environment. */
const { appendFileSync } = require('node:fs');

const { NAME, BEHAVIOUR, JOURNAL } = process.env;

if (BEHAVIOUR === 'refuses') process.exit(2);
if (BEHAVIOUR === 'dies') process.exit(1);

process.on('SIGTERM', () => {
  if (BEHAVIOUR === 'stubborn') return;
  appendFileSync(JOURNAL, `${NAME} stopping\n`);
  setTimeout(() => {
    appendFileSync(JOURNAL, `${NAME} stopped\n`);
    process.exit(BEHAVIOUR === 'fails' ? 1 : 0);
  }, 50);
});
setInterval(() => {}, 1000);
process.send({ type: 'listening', service: NAME, ops: process.pid, port: NAME === 'edge' ? 8080 : undefined });
