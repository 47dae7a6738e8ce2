const { readlinkSync } = require('node:fs');
const { getPriority } = require('node:os');
const { basename } = require('node:path');
const { inProcessBus } = require('@order-automation/bus');
const { serveBus } = require('@order-automation/bus/threads');
const { BusError } = require('@order-automation/bus');
const { createMetrics, metricsOf } = require('@order-automation/service');
const { Counter } = require('prom-client');
const { lowerPriority, runThread } = require('../dist/threads/thread-run');

/** A thread that does as its settings say, for the tests of `startThread`. */
runThread(async (settings, port) => {
  if (settings.refuse) throw new BusError('unavailable', settings.refuse);
  if (settings.die) setTimeout(() => Promise.reject(new Error(settings.die)), 20);
  if (settings.leave) setTimeout(() => process.exit(3), 20);
  if (settings.niceness) lowerPriority(settings.niceness);
  const bus = inProcessBus();
  const metrics = createMetrics('fixture');
  const asked = new Counter({ name: 'asked_total', help: 'Asked', registers: [metrics] });
  await bus.respond('shop.order.get.v1', async () => {
    asked.inc();
    return { orders: [] };
  });
  serveBus(bus, port);
  const priority = process.platform === 'linux' ? getPriority(Number(basename(readlinkSync('/proc/thread-self')))) : 0;
  return {
    missing: async () => [{ part: 'fixture', reason: `runs at ${priority}` }],
    metrics: metricsOf(metrics),
    close: () => bus.close(),
  };
});
