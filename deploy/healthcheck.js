/** Exit code 0 when the process in this container is ready, else 1 and the reason. */
const url = `http://127.0.0.1:${process.env.OPS_PORT}/readyz`;

fetch(url, { signal: AbortSignal.timeout(8000) })
  .then(async (answer) => {
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  })
  .catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
