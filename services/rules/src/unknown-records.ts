import { maxNamedRecords, type NamedRecords, type RuleRecord, type RuleWarning } from '@order-automation/contracts';
import { missingText, recordsNamedBy } from '@order-automation/engine';
import type { RulesDeps } from './deps';

/** `isTruncated` of more records than the shop is asked for at once. */
type Unknown = { readonly warnings: RuleWarning[]; readonly isTruncated: boolean };
const none: Unknown = { warnings: [], isTruncated: false };

/** Milliseconds for the shop's answer. */
const timeout = 1_000;

/**
 * Warns of conditions that name a product, category or tag that the shop does not have. The shop is asked once, for the first 1,000 ids of each
 * kind. When it does not answer in time there are no such warnings.
 */
export async function unknownRecords(
  records: readonly Pick<RuleRecord, 'id' | 'name' | 'rule'>[],
  { bus, registry, telemetry }: Pick<RulesDeps, 'bus' | 'registry' | 'telemetry'>,
): Promise<Unknown> {
  const named = records.flatMap(({ id, name, rule }) =>
    recordsNamedBy(rule, registry).map((naming) => ({ id, name, naming })),
  );
  if (named.length === 0) return none;
  let isTruncated = false;
  const idsOf = (source: keyof NamedRecords): string[] => {
    const ids = new Set(named.flatMap(({ naming }) => (naming.source === source ? naming.ids : [])));
    isTruncated ||= ids.size > maxNamedRecords;
    return [...ids].slice(0, maxNamedRecords);
  };
  const asked = { products: idsOf('products'), categories: idsOf('categories'), product_tags: idsOf('product_tags') };
  try {
    const { missing } = await bus.request('shop.record.known.v1', asked, { timeout });
    const warnings = named.flatMap(({ id, name, naming }): RuleWarning[] => {
      const problem = missingText(naming, missing);
      return problem === null
        ? []
        : [{ code: 'unknown_record', rule_ids: [id], message: `Rule "${name}": ${problem}.` }];
    });
    return { warnings, isTruncated };
  } catch (error) {
    telemetry.unchecked(error);
    return none;
  }
}
