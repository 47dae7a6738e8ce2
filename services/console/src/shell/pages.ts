import type { ComponentType } from 'preact';
import type { Params } from './match';
import { type Capability, may } from './session';

export type PageComponent = ComponentType<{ params: Params }>;
export type PageEntry = {
  readonly path: string;
  /** In the list at the side; absent of pages that belong to another. */
  readonly label: string | undefined;
  readonly needs: Capability;
  readonly load: () => Promise<PageComponent>;
};

const [reads, manages] = ['view_shop_reports', 'manage_shop'] as const;

/** A page of a file that exports it under this name. */
function page<Name extends string>(
  path: string,
  needs: Capability,
  name: Name,
  file: () => Promise<{ readonly [N in Name]: PageComponent }>,
  label?: string,
): PageEntry {
  return { path, needs, label, load: async () => (await file())[name] };
}

/** The pages of the console: each is loaded when it is first opened. */
export const pages: readonly PageEntry[] = [
  page('/', reads, 'OverviewPage', () => import('../overview/overview-page'), 'Overview'),
  page('/log', reads, 'LogPage', () => import('../log/log-page'), 'Log'),
  page('/log/{process_id}', reads, 'ProcessPage', () => import('../log/process-page')),
  page('/orders', manages, 'OrdersPage', () => import('../orders/orders-page'), 'Orders'),
  page('/orders/{id}', reads, 'OrderPage', () => import('../orders/order-page')),
  page('/events', manages, 'EventsPage', () => import('../events/events-page'), 'Events'),
  page('/rules', manages, 'RulesPage', () => import('../rules/rules-page'), 'Rules'),
  page('/rules/{id}', manages, 'RulePage', () => import('../rules/rule-page')),
  page('/debugger', manages, 'DebuggerPage', () => import('../debugger/debugger-page'), 'Debugger'),
  page('/connections', manages, 'ConnectionsPage', () => import('../connections/connections-page'), 'Connections'),
  page('/deliveries', reads, 'DeliveriesPage', () => import('../deliveries/deliveries-page'), 'Deliveries'),
  page('/settings', reads, 'SettingsPage', () => import('../settings/settings-page'), 'Settings'),
];

/** The pages in the list at the side that this user may open. */
export const listedPages = (): readonly PageEntry[] =>
  pages.filter(({ label, needs }) => label !== undefined && may(needs));
