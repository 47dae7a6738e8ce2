/** What every service has (shared/service). */
const common = 'audit_outbox secret_key secret_key_instances store_version';

const own = {
  'gateway-intake':
    'payloads inbox transmissions totals marks replay_jobs connections endpoints certificates gateway_secrets secret_uses event_sources',
  evaluation:
    'evaluations deliveries awaited schedules schedule_runs resend_jobs secrets order_history payment_orders money_checks',
  rules: 'rules rule_set rule_versions counters rule_import_steps',
  shop: 'orders order_keys order_notes products records site_records stock_reductions applied_commands counters imports woocommerce_journal woocommerce_steps woocommerce_leases woocommerce_seen woocommerce_progress shop_connection',
  'pro-debug': 'test_runs backtests',
  'api-gateway':
    'users application_passwords sessions login_attempts missed_webhooks saved_filters notifications notification_watch installation',
  audit: 'records processes totals stats facets counters seals seal_marks deletions',
};

/**
 * The collections of each service. Both stores keep the same documents under the same ids in collections of the same names, so all of them move
 * as they are: leases and fences too, which the instances of the distributed mode take over when they are due, as after a crash. A service that
 * gains a collection adds it here; one whose documents differ between the modes needs a conversion in `copy.ts`.
 */
export const collectionsOf: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(own).map(([service, names]) => [service, `${common} ${names}`.split(' ')]),
);
