import { conditionTable, refusesSettings } from '../../test/condition-table';
import { facts, occurrence } from '../../test/fixtures';
import { eventVerified } from './event-verified';

conditionTable(eventVerified, [
  ['a proven sender', {}, facts({ occurrence: occurrence({ authenticated: true }) }), true],
  ['an unproven sender', {}, facts({ occurrence: occurrence({ authenticated: false }) }), false],
  ['no event', {}, facts({ occurrence: null }), 'hopeless'],
]);
refusesSettings(eventVerified, [{ verified: true }]);
