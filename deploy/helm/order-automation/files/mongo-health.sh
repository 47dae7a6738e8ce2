#!/bin/sh
# Health check of the database. mongosh takes most of a second of processor time, so it sets up once after each start of the server and looks
# again every five minutes; between, a server that takes connections is healthy.
set -eu
marker=/tmp/set-up-done
if [ -n "$(find "$marker" -mmin -5 2>/dev/null)" ]; then
  exec bash -c 'exec 3<>/dev/tcp/127.0.0.1/27017'
fi
mongosh --quiet -u root -p "$MONGO_INITDB_ROOT_PASSWORD" --authenticationDatabase admin --file /etc/order-automation/mongo-set-up.js
: >"$marker"
