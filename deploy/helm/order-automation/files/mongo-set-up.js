// Run by the health check in mongosh: makes the one-node replica set that acknowledged writes (majority, journal) need, and one user for each
// service, who reads and writes the database of that service alone. Passwords are those of the environment, so that a change there is one here.
try {
  rs.status();
} catch (error) {
  if (error.codeName !== 'NotYetInitialized') throw error;
  rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: process.env.MONGO_MEMBER ?? 'mongo:27017' }] });
}
if (!db.hello().isWritablePrimary) quit(1);

for (const service of ['api-gateway', 'gateway-intake', 'rules', 'evaluation', 'audit', 'pro-debug', 'shop']) {
  const name = service.replaceAll('-', '_');
  const database = db.getSiblingDB(`order_automation_${name}`);
  const pwd = process.env[`MONGO_PASSWORD_${name.toUpperCase()}`];
  if (database.getUser(service)) database.updateUser(service, { pwd });
  else database.createUser({ user: service, pwd, roles: [{ role: 'readWrite', db: database.getName() }] });
}
