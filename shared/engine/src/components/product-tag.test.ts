import { conditionTable, refusesSettings } from '../../test/condition-table';
import { context, facts } from '../../test/fixtures';
import { productTag } from './product-tag';

const tagged = (...tags: number[]) => {
  const { order, products } = context();
  return facts({ context: { order, products: products.map((product) => ({ ...product, tag_ids: tags })) } });
};

conditionTable(productTag, [
  ['any', { tags: ['5', '6'] }, tagged(6), true],
  ['any: not tagged', { tags: ['5'] }, tagged(), false],
  ['all', { tags: ['5'], match: 'all' }, tagged(5, 6), true],
  ['none: tagged', { tags: ['5'], match: 'none' }, tagged(5, 6), false],
  ['none: otherwise tagged', { tags: ['5'], match: 'none' }, tagged(6), true],
]);
refusesSettings(productTag, [{}, { tags: [] }, { tags: [5] }]);
