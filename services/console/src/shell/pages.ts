import type { ComponentType } from 'preact';
import type { Params } from './match';
import type { Capability } from './session';

export type PageComponent = ComponentType<{ params: Params }>;
export type PageEntry = {
  readonly path: string;
  /** In the list at the side; absent of pages that belong to another. */
  readonly label?: string;
  readonly needs: Capability;
  /** The key that opens it after `g`. */
  readonly key?: string;
  readonly load: () => Promise<PageComponent>;
};

/** The pages of the console: each is loaded when it is first opened. */
export const pages: readonly PageEntry[] = [
  {
    path: '/',
    label: 'Overview',
    needs: 'view_shop_reports',
    key: 'o',
    load: async () => (await import('../overview/overview-page')).OverviewPage,
  },
  {
    path: '/log',
    label: 'Log',
    needs: 'view_shop_reports',
    key: 'l',
    load: async () => (await import('../log/log-page')).LogPage,
  },
  {
    path: '/log/{process_id}',
    needs: 'view_shop_reports',
    load: async () => (await import('../log/process-page')).ProcessPage,
  },
  {
    path: '/orders/{id}',
    needs: 'view_shop_reports',
    load: async () => (await import('../orders/order-page')).OrderPage,
  },
  {
    path: '/rules',
    label: 'Rules',
    needs: 'manage_shop',
    key: 'r',
    load: async () => (await import('../rules/rules-page')).RulesPage,
  },
  {
    path: '/rules/{id}',
    needs: 'manage_shop',
    load: async () => (await import('../rules/rule-page')).RulePage,
  },
  {
    path: '/debugger',
    label: 'Debugger',
    needs: 'manage_shop',
    key: 'd',
    load: async () => (await import('../debugger/debugger-page')).DebuggerPage,
  },
  {
    path: '/connections',
    label: 'Connections',
    needs: 'manage_shop',
    key: 'c',
    load: async () => (await import('../connections/connections-page')).ConnectionsPage,
  },
  {
    path: '/deliveries',
    label: 'Deliveries',
    needs: 'view_shop_reports',
    key: 'v',
    load: async () => (await import('../deliveries/deliveries-page')).DeliveriesPage,
  },
  {
    path: '/dead-letters',
    label: 'Dead letters',
    needs: 'manage_shop',
    key: 'x',
    load: async () => (await import('../deliveries/dead-letters-page')).DeadLettersPage,
  },
  {
    path: '/settings',
    label: 'Settings',
    needs: 'view_shop_reports',
    key: 's',
    load: async () => (await import('../settings/settings-page')).SettingsPage,
  },
];
