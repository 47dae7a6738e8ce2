import type { Store } from '@order-automation/store';
import { redactText } from './redact';
import type { Service } from './service';

/** A part that is not ready and why, fit to show to an operator. */
export type Missing = { readonly part: string; readonly reason: string };

/** Answers what a part cannot do now, or what is missing of the parts behind it; empty when it is ready. */
export type Probe = () => Promise<readonly (string | Missing)[]> | readonly (string | Missing)[];

export type Readiness = {
  /** States what is known of a part; undefined = nothing is missing. */
  set(part: string, reason: string | undefined): void;
  /** Asks the part itself from now on. */
  probe(part: string, probe: Probe): void;
  /** Everything that is missing now; empty = ready. */
  missing(): Promise<readonly Missing[]>;
};

/** What stands between a process and being ready, part by part. A probe that takes longer than `patience` milliseconds counts as missing. */
export function createReadiness(patience = 2_000): Readiness {
  const parts = new Map<string, Probe>();
  let asking: Promise<readonly Missing[]> | undefined;

  const ask = async (): Promise<readonly Missing[]> => {
    const found = await Promise.all([...parts].map(([part, probe]) => askOne(part, probe, patience)));
    return found.flat();
  };
  return {
    set: (part, reason) => void parts.set(part, () => (reason === undefined ? [] : [reason])),
    probe: (part, probe) => void parts.set(part, probe),
    missing: () => {
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return asking;
    },
  };
}

/** What a service that runs on this store cannot do now. */
export async function problemsOf(store: Store, service: Service): Promise<readonly string[]> {
  const status = await store.check();
  return [...(status.ok ? [] : [status.reason]), ...((await service.problems?.()) ?? [])];
}

async function askOne(part: string, probe: Probe, patience: number): Promise<Missing[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly (string | Missing)[]>((resolve) => {
    timer = setTimeout(resolve, patience, [`no answer within ${patience} ms`]);
  });
  try {
    const reasons = await Promise.race([Promise.resolve(probe()), late]);
    return reasons.map((reason) => (typeof reason === 'string' ? { part, reason } : reason));
  } catch (error) {
    return [{ part, reason: redactText(error instanceof Error ? error.message : String(error)) }];
  } finally {
    clearTimeout(timer);
  }
}
