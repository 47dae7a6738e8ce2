// Run once by the image of MongoDB, when its volume is new: one user for each service, who reads and writes the database of that service alone.
for (const service of ['api-gateway', 'gateway-intake', 'rules', 'evaluation', 'audit', 'pro-debug', 'shop']) {
  const name = service.replaceAll('-', '_');
  const database = `order_automation_${name}`;
  db.getSiblingDB(database).createUser({
    user: service,
    pwd: process.env[`MONGO_PASSWORD_${name.toUpperCase()}`],
    roles: [{ role: 'readWrite', db: database }],
  });
}
