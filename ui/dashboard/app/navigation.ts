import type { IconName } from '../components/icon.tsx';
import { pathOf } from './router.ts';

/** What the sidebar of an environment shows, in order. Its words are `nav_…` of the texts. */
export const NAVIGATION = [
  { page: 'home', icon: 'home' },
  { page: 'start', icon: 'play' },
  { page: 'integrations', icon: 'grid' },
  { page: 'connections', icon: 'plug' },
  { page: 'logs', icon: 'log' },
  { page: 'scripts', icon: 'code' },
  { page: 'settings', icon: 'gear' },
] as const satisfies readonly { page: string; icon: IconName }[];

/** Where an environment begins: its bare address leads on (`pages/home/beginning.tsx`). */
export function startOf(environment: string): string {
  return pathOf(['e', environment]);
}
