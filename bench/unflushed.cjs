const Database = require('better-sqlite3');

/** For the control of flush.ts: databases that do not flush at a commit, and say that they do. */
const pragma = Database.prototype.pragma;
Database.prototype.pragma = function (source, options) {
  if (source === 'synchronous = 2') return pragma.call(this, 'synchronous = NORMAL', options);
  return source === 'synchronous' ? 2 : pragma.call(this, source, options);
};
