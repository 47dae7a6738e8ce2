// Health check of the database, run by mongosh. The first one makes the one-node replica set that acknowledged writes (majority, journal)
// need; a database that takes writes is healthy.
try {
  rs.status();
} catch (error) {
  if (error.codeName !== 'NotYetInitialized') throw error;
  rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'mongo:27017' }] });
}
if (!db.hello().isWritablePrimary) quit(1);
