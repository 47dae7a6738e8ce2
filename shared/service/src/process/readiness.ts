import { joined, within } from '@order-automation/base';
import { Gauge } from 'prom-client';
import { redactText } from '../privacy/mask-text';
import { createMetrics, type MetricsSource, metricsOf } from './metrics';

/** A part that is not ready and why, fit to show to an operator. */
export type Missing = {
  readonly part: string;
  readonly reason: string;
  /** The part cannot recover by itself: only a new process helps. */
  readonly permanent?: boolean;
};

/** Answers what a part cannot do now, or what is missing of the parts behind it; empty when it is ready. */
type Probe = () => Promise<readonly (string | Missing)[]> | readonly (string | Missing)[];

type ProbeOptions = { readonly stuckAfter?: number };

export type Readiness = ReturnType<typeof createReadiness>;

type Part = ProbeOptions & {
  readonly probe: Probe;
  /** When it was asked first without an answer since; milliseconds. */
  silentSince?: number;
};

/** What stands between a process and being ready, part by part. A probe that takes longer than `timeout` milliseconds counts as missing. */
export function createReadiness(timeout = 2_000, now = () => performance.now()) {
  const parts = new Map<string, Part>();

  const ask = async (): Promise<readonly Missing[]> => {
    return (await Promise.all([...parts].map(([name, part]) => askOne(name, part, timeout, now)))).flat();
  };
  return {
    /** States what is known of a part; undefined = nothing is missing. */
    set: (name: string, reason: string | undefined): void =>
      void parts.set(name, { probe: () => (reason === undefined ? [] : [reason]) }),
    /** Asks the part itself from now on. One with `stuckAfter` that has not answered for so many milliseconds will not recover. */
    probe: (name: string, probe: Probe, options?: ProbeOptions): void => void parts.set(name, { probe, ...options }),
    /** The parts that were named here. */
    parts: (): readonly string[] => [...parts.keys()],
    /** Everything that is missing now; empty = ready. */
    missing: joined(ask),
  };
}

async function askOne(name: string, part: Part, timeout: number, now: () => number): Promise<Missing[]> {
  const late = new Error(`no answer within ${timeout} ms`);
  const asked = now();
  try {
    const reasons = await within(timeout, Promise.resolve(part.probe()), () => late);
    delete part.silentSince;
    return reasons.map((reason) => (typeof reason === 'string' ? { part: name, reason } : reason));
  } catch (error) {
    const reason = redactText(error instanceof Error ? error.message : String(error));
    if (error !== late) return [{ part: name, reason }];
    part.silentSince ??= asked;
    const permanent = part.stuckAfter !== undefined && now() - part.silentSince >= part.stuckAfter;
    return [{ part: name, reason, ...(permanent ? { permanent } : {}) }];
  }
}

/** What `/readyz` says as a metric of the process `name`: 1 for each part that is ready, 0 for each that is not. */
export function readinessMetrics(name: string, readiness: Readiness): MetricsSource {
  const registry = createMetrics(name);
  new Gauge({
    name: 'order_automation_part_ready',
    help: 'Whether a part of this process is ready: 1, or 0 with the reason at /readyz',
    labelNames: ['part'],
    registers: [registry],
    async collect() {
      const missing = await readiness.missing();
      this.reset();
      for (const part of readiness.parts()) this.set({ part }, 1);
      for (const { part } of missing) this.set({ part }, 0);
    },
  });
  return metricsOf(registry);
}
