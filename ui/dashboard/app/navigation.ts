import type { IconName } from '../components/icon.tsx';
import { pathOf } from './router.ts';

/** The entries of an environment's sidebar, in order. Their labels are the texts `nav_…`. */
export const NAVIGATION = [
  { page: 'home', icon: 'home' },
  { page: 'start', icon: 'play' },
  { page: 'integrations', icon: 'grid' },
  { page: 'connections', icon: 'plug' },
  { page: 'logs', icon: 'log' },
  { page: 'webhooks', icon: 'send' },
  { page: 'scripts', icon: 'code' },
  { page: 'settings', icon: 'gear' },
] as const satisfies readonly { page: string; icon: IconName }[];

/** Returns the start path of an environment, which redirects to its first page (`pages/home/beginning.tsx`). */
export function startOf(environment: string): string {
  return pathOf(['e', environment]);
}
