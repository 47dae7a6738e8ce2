import { invalidParameters, ServiceError } from '@order-automation/contracts';

/** WooCommerce refused this one request: trying it again cannot help. `shopStatus`, `shopCode` and `said` are WooCommerce's own; a page has no code. */
export class ShopRefusal extends ServiceError {
  constructor(
    readonly shopStatus: number,
    readonly shopCode: string,
    readonly said: string,
  ) {
    super(502, 'svc_shop_refused', `WooCommerce refused the request (${`${shopStatus} ${shopCode}`.trim()}): ${said}`, {
      part: 'shop',
    });
    this.name = 'ShopRefusal';
  }
}

/** The shop cannot be used now; the caller tries again, no sooner than after `retryAfter` milliseconds. `reason` is a sentence for the operator. */
export class ShopUnavailable extends ServiceError {
  constructor(
    readonly reason: string,
    readonly retryAfter = 1_000,
    /** Whether the shop refused the caller rather than failed. */
    readonly isRefusal = false,
    readonly isUnauthorized = false,
  ) {
    super(503, 'svc_unavailable', `${reason} Please try again.`, { part: 'shop', retry_after_ms: retryAfter });
    this.name = 'ShopUnavailable';
  }
}

/**
 * A write was sent and its answer was lost or is a failure: it may have happened. For `unsettled` milliseconds it may even happen yet, because the
 * shop can go on with a request whose sender has left; 0 after an answer. `answered` is the status of the answer.
 */
export class LostWrite extends ShopUnavailable {
  constructor(
    reason: string,
    readonly unsettled: number,
    readonly answered: number | null,
  ) {
    super(reason, unsettled);
    this.name = 'LostWrite';
  }
}

/**
 * The shop failed on this one request while it answers others: it is the request's own failure. An error of the shop's server may pass; a page with
 * another status, as a firewall's 403 to what is in the request (`reason`), refuses it.
 */
export function shopFailed(status: number, what: string, reason: string): ServiceError {
  if (status < 500) return new ShopRefusal(status, '', reason);
  const text = `WooCommerce answered ${status} to ${what}, and other requests work.`;
  return new ServiceError(502, 'svc_shop_failed', text, { part: 'shop', shop_status: status }, 'now');
}

/** The shop shows an order that is none for us, or more than can be read. It is left out of lists; `reason` is a sentence for the operator. */
export class UnreadableOrder extends ServiceError {
  constructor(readonly reason: string) {
    super(502, 'svc_shop_failed', reason, { part: 'shop' });
    this.name = 'UnreadableOrder';
  }
}

export const nullIf =
  (isNothing: (error: unknown) => boolean) =>
  (error: unknown): null => {
    if (isNothing(error)) return null;
    throw error;
  };
export const nullIfUnreadable = nullIf((error) => error instanceof UnreadableOrder);

/** There is no such order, product or customer: 404, or 400 to a write. */
export function isMissing(error: unknown): boolean {
  if (!(error instanceof ShopRefusal)) return false;
  return /_invalid_(?:order_)?id$/.test(error.shopCode) || (error.shopStatus === 404 && error.shopCode !== '');
}

/** A refusal of what somebody has written is thrown with WooCommerce's words, every other error as it is. */
export function throwViolation(error: unknown): never {
  if (!(error instanceof ShopRefusal) || isMissing(error)) throw error;
  throw invalidParameters([{ path: '', message: error.said }]);
}

/** What the REST interface answers for something that is done in WooCommerce itself. */
export const notHere = (message: string): ServiceError => new ServiceError(409, 'svc_shop_elsewhere', message);
