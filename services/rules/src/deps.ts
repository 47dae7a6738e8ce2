import type { Bus } from '@order-automation/bus';
import type { Registry } from '@order-automation/engine';
import type { Clock, Outbox } from '@order-automation/service';
import type { EnableGuard } from './enable-guard';
import type { Rules } from './rule-documents';
import type { RuleSets } from './rule-set';
import type { RuleVersions } from './rule-versions';
import type { RulesTelemetry } from './telemetry';

export type RulesDeps = {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly rules: Rules;
  readonly versions: RuleVersions;
  readonly ruleSet: RuleSets;
  /** The first of so many ids of new rules; none is given twice. */
  readonly takeIds: (count: number) => Promise<number>;
  readonly outbox: Outbox;
  readonly telemetry: RulesTelemetry;
  readonly registry: Registry;
  /** Null where no rule has to be tested. */
  readonly enableGuard: EnableGuard | null;
};
