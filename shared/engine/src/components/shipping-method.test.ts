import { conditionTable, refusesSettings } from '../../test/condition-table';
import { context, facts } from '../../test/fixtures';
import { shippingMethod } from './shipping-method';

const shipped = (...lines: object[]) => facts({ context: context({ shipping_lines: lines }) });
const flat = { method_id: 'flat_rate', instance_id: '3', total: '4.90' };
const free = { method_id: 'free_shipping:26', total: '0.00' };
const pickup = { method_id: 'local_pickup', total: '0.00' };

conditionTable(shippingMethod, [
  ['by the method', { methods: ['flat_rate'] }, shipped(flat), true],
  ['by the method of one zone', { methods: ['flat_rate:3'] }, shipped(flat), true],
  ['the same method of another zone', { methods: ['flat_rate:4'] }, shipped(flat), false],
  ['one line of several', { methods: ['local_pickup'] }, shipped(flat, pickup), true],
  // woocommerce/woocommerce-android issue 202: "method_id": "free_shipping:26", and no instance_id
  ['by the method, the instance in method_id', { methods: ['free_shipping'] }, shipped(free), true],
  ['by the instance in method_id', { methods: ['free_shipping:26'] }, shipped(free), true],
  ['another instance in method_id', { methods: ['free_shipping:27'] }, shipped(free), false],
  ['not shipped at all', { methods: ['flat_rate'] }, shipped(), false],
]);
refusesSettings(shippingMethod, [{}, { methods: [] }]);
