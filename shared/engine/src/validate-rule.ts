import {
  type ComponentChoice,
  check,
  didYouMean,
  type Edition,
  maxChoices,
  plainWords,
  type RuleData,
  requiredMessage,
  ServiceError,
  strictChoiceSchema,
  type Violation,
  writtenRuleDataSchema,
} from '@order-automation/contracts';
import type { ErrorObject } from 'ajv';
import type { Component } from './component';
import type { Registered, Registry } from './registry';
import { isAccessible } from './registry';

/** By code; of the kinds of violations that a rule has, the first here is the code of the refusal. */
const refusals = {
  rest_missing_callback_param: 'Parts of the rule are missing.',
  rest_invalid_param: 'Parts of the rule have the wrong type.',
  svc_unknown_component: 'The rule uses components that do not exist.',
  svc_licence_required: 'The rule uses components that need the extended edition.',
  svc_validation_failed: 'Settings of the rule are not valid.',
} as const;
type RuleRefusal = keyof typeof refusals;
const precedence = Object.keys(refusals) as RuleRefusal[];

type RuleValidation =
  | { readonly ok: true; readonly rule: RuleData }
  | { readonly ok: false; readonly code: RuleRefusal; readonly violations: Violation[] };

type Finding = Violation & { readonly code: RuleRefusal };

/** Most characters of a rule as JSON: it travels in messages and is kept once a version. */
const largestRule = 100_000;

/** Also when it is nested too deeply to be written at all. */
function isTooLarge(rule: unknown): boolean {
  try {
    return (JSON.stringify(rule) ?? '').length > largestRule;
  } catch {
    return true;
  }
}

function shapeFinding({ path, message }: Violation): Finding {
  return { code: message === requiredMessage ? 'rest_missing_callback_param' : 'rest_invalid_param', path, message };
}

/** `is not a setting of this component; did you mean amount?` */
const unknownSetting = (name: string, schema: Component['schema']): string =>
  `is not a setting of this component${didYouMean(name, Object.keys((schema.properties ?? {}) as object))}`;

function settingsFinding(path: string, error: ErrorObject, schema: Component['schema']): Finding {
  const { missingProperty, additionalProperty, allowedValues } = error.params as Record<string, unknown>;
  const pointer = error.instancePath.split('/').slice(1);
  const extra = missingProperty ?? additionalProperty;
  const parts = [path, ...pointer, ...(typeof extra === 'string' ? [extra.slice(0, 100)] : [])];
  const message = Array.isArray(allowedValues)
    ? `must be one of ${allowedValues.join(', ')}`
    : missingProperty
      ? 'is required'
      : additionalProperty
        ? unknownSetting(String(additionalProperty), schema)
        : plainMessage(error);
  return { code: 'svc_validation_failed', path: parts.join('.'), message };
}

/** What limits of JSON Schema are about, as `plainWords` names it. */
const limited: Readonly<Record<string, string>> = { Items: 'array', Length: 'string', imum: 'number' };

/** What is wrong, in words; a schema may say what its pattern means in `x-pattern-message`. */
function plainMessage({ keyword, params, message, parentSchema }: ErrorObject): string {
  const patternMessage = (parentSchema as Record<string, unknown> | undefined)?.['x-pattern-message'];
  if (keyword === 'pattern' && typeof patternMessage === 'string') return patternMessage;
  if (keyword === 'type' && params.type === 'string') return 'must be text in quotation marks, for example "101"';
  const input = '';
  if (keyword === 'type')
    return plainWords({ code: 'invalid_type', expected: params.type === 'integer' ? 'int' : params.type, input });
  if (keyword === 'uniqueItems') return 'must not name anything twice';
  const [, end, what = ''] = /^(min|max)(Items|Length|imum)$/.exec(keyword) ?? [];
  const [origin, limit] = [limited[what] as 'string', Number(params.limit)];
  if (end === 'min') return plainWords({ code: 'too_small', origin, minimum: limit, input });
  if (end === 'max') return plainWords({ code: 'too_big', origin, maximum: limit, input });
  return message ?? 'is not valid';
}

type Checked = { readonly choice: ComponentChoice; readonly findings: Finding[] };

const kindNames: Readonly<Record<keyof Registry, string>> = {
  triggers: 'a trigger',
  conditions: 'a condition',
  primaryActions: 'a primary action',
  secondaryActions: 'a secondary action',
};

/** Says what the id is instead, or which one was likely meant. */
function unknownComponent(id: string, kind: keyof Registry, registry: Registry): string {
  const shown = id.slice(0, 100);
  const other = (Object.keys(kindNames) as (keyof Registry)[]).find((one) => registry[one].has(id));
  if (other) return `${shown} exists, but as ${kindNames[other]}; ${kindNames[kind]} is needed here`;
  return `unknown component ${shown}${didYouMean(shown, [...registry[kind].keys()])}`;
}

function schemaFindings({ component, validate }: Registered<Component>, settings: unknown, path: string): Finding[] {
  if (validate(settings)) return [];
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if');
  return errors.map((error) => settingsFinding(`${path}.settings`, error, component.schema));
}

/** Nothing is left of a text of blanks, or of one in a list. */
function withoutBlanks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBlanks);
  return typeof value === 'string' && value.trim() === '' ? '' : value;
}

function checkChoice(
  kind: keyof Registry,
  choice: ComponentChoice,
  path: string,
  edition: Edition,
  registry: Registry,
): Checked {
  const registered: Registered<Component> | undefined = registry[kind].get(choice.id);
  const blame = (code: RuleRefusal, message: string): Checked => ({
    choice,
    findings: [{ code, path: `${path}.id`, message }],
  });
  if (!registered) return blame('svc_unknown_component', unknownComponent(choice.id, kind, registry));
  const { component } = registered;
  if (!isAccessible(component, edition)) {
    return blame('svc_licence_required', `${choice.id} (${component.label}) needs the extended edition`);
  }
  const texts = Object.entries(choice.settings).map(([name, value]) => [name, withoutBlanks(value)]);
  const written = schemaFindings(registered, Object.fromEntries(texts), path);
  if (written.length > 0) return { choice, findings: written };
  const settings = component.normalise?.(choice.settings) ?? choice.settings;
  // Nothing may be left of a status that is a prefix alone: what is stored is taken again.
  const stored = schemaFindings(registered, settings, path);
  if (stored.length > 0) return { choice, findings: stored };
  const further = component.violations?.(choice.settings) ?? [];
  return {
    choice: { id: choice.id, settings },
    findings: further.map((violation) => ({
      code: 'svc_validation_failed',
      path: [path, 'settings', violation.path].filter((part) => part !== '').join('.'),
      message: violation.message,
    })),
  };
}

function refuse(findings: readonly Finding[]): RuleValidation {
  const code = precedence.find((kind) => findings.some((finding) => finding.code === kind)) ?? 'rest_invalid_param';
  const named = code === 'svc_licence_required' ? findings.filter((finding) => finding.code === code) : findings;
  return { ok: false, code, violations: named.map(({ path, message }) => ({ path, message })) };
}

type Place = { readonly kind: keyof Registry; readonly path: string; readonly choice: ComponentChoice };

/** The components of rule data that may lack parts or have wrong ones: those that can be read, where they stand. */
function placesIn(data: unknown): Place[] {
  if (typeof data !== 'object' || data === null) return [];
  const { trigger, conditions, primaryAction, secondaryActions } = data as Readonly<Record<string, unknown>>;
  const one = (kind: keyof Registry, path: string, choice: unknown): Place[] => {
    const parsed = strictChoiceSchema.safeParse(choice);
    return parsed.success ? [{ kind, path, choice: parsed.data }] : [];
  };
  const each = (kind: keyof Registry, path: string, choices: unknown): Place[] =>
    Array.isArray(choices)
      ? choices.slice(0, maxChoices).flatMap((choice, at) => one(kind, `${path}.${at}`, choice))
      : [];
  return [
    ...one('triggers', 'trigger', trigger),
    ...each('conditions', 'conditions', conditions),
    ...one('primaryActions', 'primaryAction', primaryAction),
    ...each('secondaryActions', 'secondaryActions', secondaryActions),
  ];
}

/**
 * Checks rule data from outside (decisions.md section 3) and normalises its settings. All violations are listed; paths are relative to the
 * rule data. A refusal for want of a licence names every blocked component and nothing else.
 */
export function validateRule(data: unknown, edition: Edition, registry: Registry): RuleValidation {
  if (isTooLarge(data)) {
    const message = `the rule is larger than ${largestRule} characters of JSON`;
    return refuse([{ code: 'rest_invalid_param', path: '', message }]);
  }
  const parsed = check(writtenRuleDataSchema, data);
  const checked = placesIn(data).map(({ kind, path, choice }) => ({
    kind,
    ...checkChoice(kind, choice, path, edition, registry),
  }));
  const findings = checked.flatMap((one) => one.findings);
  if (!parsed.ok) return refuse([...parsed.violations.map(shapeFinding), ...findings]);
  const [trigger] = checked;
  if (findings.length > 0 || trigger === undefined) return refuse(findings);
  const choicesOf = (of: keyof Registry) => checked.flatMap(({ kind, choice }) => (kind === of ? choice : []));
  return {
    ok: true,
    rule: {
      trigger: trigger.choice,
      conditions: choicesOf('conditions'),
      primaryAction: choicesOf('primaryActions')[0] ?? null,
      secondaryActions: choicesOf('secondaryActions'),
    },
  };
}

/** The violations of a rule that stands at `at` in the caller's body. */
export const violationsAt = (violations: readonly Violation[], at: string): Violation[] =>
  violations.map(({ path, message }) => ({ path: [at, path].filter((part) => part !== '').join('.'), message }));

/** The refusal as the caller reads it: 403 for want of a licence, else 400. Paths begin with `at`, where the rule stands in the caller's body. */
export function ruleRefused({ code, violations }: Extract<RuleValidation, { ok: false }>, at = ''): ServiceError {
  const status = code === 'svc_licence_required' ? 403 : 400;
  return new ServiceError(status, code, refusals[code], { violations: violationsAt(violations, at) });
}
