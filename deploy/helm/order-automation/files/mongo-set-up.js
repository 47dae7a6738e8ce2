// Run by the health check in mongosh: makes the one-node replica set that acknowledged writes (majority, journal) need, and one user for each
// service, who reads and writes the database of that service alone, and one for workers, who have several. Passwords are those of the environment, so that a change there is one here.
try {
  rs.status();
} catch (error) {
  if (error.codeName !== 'NotYetInitialized') throw error;
  rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: process.env.MONGO_MEMBER ?? 'mongo:27017' }] });
}
if (!db.hello().isWritablePrimary) quit(1);

const services = ['api-gateway', 'gateway-intake', 'rules', 'evaluation', 'audit', 'pro-debug', 'shop'];
const ofWorker = ['rules', 'evaluation', 'audit', 'pro-debug', 'shop'];
const nameOf = (user) => `order_automation_${user.replaceAll('-', '_')}`;

for (const user of [...services, 'worker']) {
  const database = db.getSiblingDB(nameOf(user));
  const pwd = process.env[`MONGO_PASSWORD_${user.replaceAll('-', '_').toUpperCase()}`];
  const roles = (user === 'worker' ? ofWorker : [user]).map((one) => ({ role: 'readWrite', db: nameOf(one) }));
  if (database.getUser(user)) database.updateUser(user, { pwd, roles });
  else database.createUser({ user, pwd, roles });
}
