import { afterwardsCases } from './field/afterwards';
import { amountCases } from './field/amounts';
import { arrivalCases } from './field/arrivals';
import { attemptCases } from './field/attempts';
import { beforehandCases } from './field/beforehand';
import { checkoutCases } from './field/checkouts';
import { courseCases } from './field/courses';
import { daysLaterCases } from './field/days-later';
import { eventCases } from './field/events';
import { exportCases } from './field/exports';
import { identityCases } from './field/identities';
import { invoiceCases } from './field/invoices';
import { linkCases } from './field/links';
import { merchantCases } from './field/merchants';
import { ownIdCases } from './field/own-ids';
import { pluginCases } from './field/plugins';
import { referenceCases } from './field/references';
import { releaseCases } from './field/releases';
import { reportCases } from './field/reports';
import { returnCases } from './field/returns';
import { shopCases } from './field/shops';
import { subscriptionCases } from './field/subscriptions';
import { describeCases } from './field/suite';
import { unhappenedCases } from './field/unhappened';
import { unpaidCases } from './field/unpaid';

/** Payments as gateways really send them, shops as they really are (decisions.md section 12): signed webhooks in, orders and their notes out. */
const cases = [
  ...referenceCases,
  ...subscriptionCases,
  ...amountCases,
  ...unhappenedCases,
  ...merchantCases,
  ...eventCases,
  ...shopCases,
  ...pluginCases,
  ...unpaidCases,
  ...identityCases,
  ...exportCases,
  ...reportCases,
  ...afterwardsCases,
  ...attemptCases,
  ...linkCases,
  ...beforehandCases,
  ...invoiceCases,
  ...courseCases,
  ...checkoutCases,
  ...ownIdCases,
  ...returnCases,
  ...arrivalCases,
  ...releaseCases,
  ...daysLaterCases,
];

describeCases('cases of the field', cases);
