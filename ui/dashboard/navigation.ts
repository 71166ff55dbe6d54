import type { IconName } from './components/icon.tsx';
import { matchRoute, pathOf } from './core/router.ts';
import { ROUTES } from './routes.ts';

/** What the sidebar of an environment shows, in order. Its words are `nav_…` of the texts. */
const ITEMS = [
  { page: 'home', icon: 'home' },
  { page: 'start', icon: 'play' },
  { page: 'integrations', icon: 'grid' },
  { page: 'connections', icon: 'plug' },
  { page: 'logs', icon: 'log' },
  { page: 'webhooks', icon: 'hook' },
  { page: 'scripts', icon: 'code' },
  { page: 'settings', icon: 'gear' },
] as const satisfies readonly { page: string; icon: IconName }[];

export type NavItem = (typeof ITEMS)[number];

/** What has a page. */
export const NAVIGATION: readonly NavItem[] = ITEMS.filter(({ page }) => matchRoute(ROUTES, `e/env/${page}`) !== undefined);

/** Where an environment begins: its bare address leads on (`pages/home/beginning.tsx`). */
export function startOf(environment: string): string {
  return pathOf(['e', environment]);
}
