import type { Server } from 'node:http';
import { ConfigError } from './config';

/** The variables that an address comes from. */
export type AddressVariables = { readonly host: string; readonly port: string };

const publicVariables: AddressVariables = { host: 'HOST', port: 'PORT' };

/** Resolves when the server listens. Rejects with ConfigError when it cannot, naming the variable that must change. */
export function listen(server: Server, host: string, port: number, variables = publicVariables): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explained(error, host, port, variables)));
    server.listen(port, host, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}

function explained(error: NodeJS.ErrnoException, host: string, port: number, variables: AddressVariables): Error {
  const wrongPort = (problem: string) =>
    new ConfigError([{ variable: variables.port, problem, example: String(port + 1) }], { cause: error });
  if (error.code === 'EADDRINUSE') return wrongPort(`port ${port} of ${host} is in use by another process`);
  if (error.code === 'EACCES') return wrongPort(`port ${port} is for privileged processes alone`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND' || error.code === 'EINVAL') {
    const problem = `${JSON.stringify(host)} is not an address of this machine`;
    return new ConfigError([{ variable: variables.host, problem, example: '127.0.0.1' }], { cause: error });
  }
  return error;
}
