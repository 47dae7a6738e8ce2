import type { Server } from 'node:http';
import { ConfigError } from './config';

type AddressVariables = { readonly host: string; readonly port: string };

const publicVariables: AddressVariables = { host: 'HOST', port: 'PORT' };

/** The first descriptor that systemd hands over (sd_listen_fds). */
const firstInherited = 3;

/**
 * The descriptor of a socket that listens already, which the parent process keeps open (systemd's socket activation): connections wait in it while
 * no process accepts. Undefined without one. `LISTEN_PID` names the process that it is meant for; the supervisor of several leaves it out.
 */
export function inheritedSocket({ LISTEN_FDS, LISTEN_PID }: NodeJS.ProcessEnv = process.env): number | undefined {
  if (!LISTEN_FDS || Number(LISTEN_FDS) < 1) return undefined;
  return LISTEN_PID === undefined || Number(LISTEN_PID) === process.pid ? firstInherited : undefined;
}

/** Resolves when the server listens: where HOST and PORT are meant, on the inherited socket if there is one. Rejects with ConfigError when it cannot, naming the variable that must change. */
export function listen(server: Server, host: string, port: number, variables = publicVariables): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explained(error, host, port, variables)));
    const inherited = variables === publicVariables ? inheritedSocket() : undefined;
    server.listen(inherited === undefined ? { port, host } : { fd: inherited }, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}

function explained(error: NodeJS.ErrnoException, host: string, port: number, variables: AddressVariables): Error {
  const example = port < 1024 ? '8080' : String(port + 1);
  const wrongPort = (problem: string) =>
    new ConfigError([{ variable: variables.port, problem, example }], { cause: error });
  if (error.code === 'EADDRINUSE') return wrongPort(`port ${port} of ${host} is in use by another process`);
  if (error.code === 'EACCES') return wrongPort(`port ${port} is for privileged processes alone`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND' || error.code === 'EINVAL') {
    const problem = `${JSON.stringify(host)} is not an address of this machine`;
    return new ConfigError([{ variable: variables.host, problem, example: '127.0.0.1' }], { cause: error });
  }
  return error;
}
