import type { Bus } from '@order-automation/bus';
import type { Registry } from '@order-automation/engine';
import type { Clock, Outbox } from '@order-automation/service';
import type { Arming } from './arming';
import type { Counters } from './counters';
import type { Rules } from './rule-documents';
import type { RuleSwitch } from './rule-switch';
import type { RuleVersions } from './rule-versions';
import type { RulesTelemetry } from './telemetry';

/** What answering a request of this service takes. */
export type RulesDeps = {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly rules: Rules;
  readonly versions: RuleVersions;
  readonly counters: Counters;
  readonly ruleSwitch: RuleSwitch;
  readonly outbox: Outbox;
  readonly telemetry: RulesTelemetry;
  readonly registry: Registry;
  /** Null where no rule has to be tested. */
  readonly arming: Arming | null;
};
