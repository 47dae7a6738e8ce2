import { natsUsers } from '@order-automation/bus/nats-users';
import { workerServices } from './config';

/** The users of an installation in which a worker has a user of its own, as a file that the configuration of nats-server includes. */
export const usersOfInstallation = (namespace?: string): string => natsUsers(namespace, { worker: workerServices });

/** `node dist/nats-users.js <namespace>` prints the file. */
if (require.main === module) process.stdout.write(usersOfInstallation(process.argv[2]));
