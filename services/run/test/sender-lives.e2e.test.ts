import { acquirerCases } from './field/lives-acquirers';
import { furtherCases } from './field/lives-further';
import { kindCases } from './field/lives-kinds';
import { laterCases } from './field/lives-later';
import { leftOutCases } from './field/lives-left-out';
import { omiseAndCreemCases } from './field/lives-omise-creem';
import { otherCases } from './field/lives-others';
import { platformCases } from './field/lives-platforms';
import { regionCases } from './field/lives-regions';
import { storeCases } from './field/lives-shops';
import { describeCases } from './field/suite';

/** What senders with a preset send from the first attempt to the last refund, as their documentation gives it. */
describeCases('lives of payments by preset', [
  ...acquirerCases,
  ...platformCases,
  ...storeCases,
  ...regionCases,
  ...otherCases,
  ...furtherCases,
  ...laterCases,
  ...kindCases,
  ...omiseAndCreemCases,
  ...leftOutCases,
]);
