import type { Route } from '../../http/route.ts';
import type { HealthServices } from '../health.ts';
import { routes } from '../index.ts';
import { credentialsRoutes } from './credentials.ts';
import { dashboardIntegrationRoutes } from './integrations.ts';
import { meRoutes } from './me.ts';
import { mirrored } from './mirrored.ts';
import { oidcRoutes } from './oidc.ts';
import { dashboardPageRoutes } from './pages.ts';
import { dashboardProviderRoutes } from './providers.ts';
import type { DashboardServices } from './services.ts';
import { signInRoutes } from './sign-in.ts';

/**
 * The pages of the dashboard and its private interface: what only people may do, and the API as it is, in an environment of the path. It has a
 * description of its own; the public one names none of it.
 */
export const dashboardRoutes: readonly Route<DashboardServices & HealthServices>[] = [
  ...dashboardPageRoutes,
  ...signInRoutes,
  ...oidcRoutes,
  ...meRoutes,
  ...credentialsRoutes,
  ...dashboardIntegrationRoutes,
  ...dashboardProviderRoutes,
  ...mirrored(routes),
];
