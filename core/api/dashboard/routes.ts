import type { Route } from '../../server/route.ts';
import { accountKeyRoutes } from '../api-keys/account-keys.ts';
import { keyRoutes } from '../api-keys/dashboard-routes.ts';
import { companyLogoRoutes } from '../company-logos/company-logo.ts';
import { connectScreenRoutes } from '../connect/connect-screen.ts';
import { connectionStatusRoutes } from '../connections/connection-status.ts';
import { credentialsRoutes } from '../connections/credentials.ts';
import { dashboardImportRoutes } from '../connections/dashboard-import.ts';
import { connectionRowRoutes } from '../connections/dashboard-routes.ts';
import { connectUiRoutes } from '../environments/connect-ui.ts';
import { environmentsRoutes } from '../environments/dashboard-routes.ts';
import { settingsRoutes } from '../environments/settings.ts';
import { signingKeyRoutes } from '../environments/signing-key.ts';
import { variableRoutes } from '../environments/variables.ts';
import type { HealthServices } from '../health.ts';
import { dashboardIntegrationRoutes } from '../integrations/dashboard-routes.ts';
import { scopeDriftRoutes } from '../integrations/scope-drift.ts';
import { dashboardLogRoutes } from '../logs/dashboard-routes.ts';
import { logStreamRoutes } from '../logs/log-stream.ts';
import { factorRoutes } from '../members/factors.ts';
import { meRoutes } from '../members/me.ts';
import { oidcRoutes } from '../members/oidc.ts';
import { memberRoutes } from '../members/routes.ts';
import { secondStepRoutes } from '../members/second-step.ts';
import { signInRoutes } from '../members/sign-in.ts';
import { dashboardProviderRoutes } from '../providers/dashboard-routes.ts';
import { proxyTryRoutes } from '../proxy/proxy-try.ts';
import { routes } from '../routes.ts';
import { dashboardScriptRoutes } from '../scripts/dashboard-routes.ts';
import { scriptRunRoutes } from '../scripts/script-runs.ts';
import { scriptTestRoutes } from '../scripts/script-test.ts';
import { deliveryRoutes } from '../webhooks/deliveries.ts';
import { receivedWebhookRoutes } from '../webhooks/received-webhooks.ts';
import { webhookTargetRoutes } from '../webhooks/webhook-targets.ts';
import { auditRoutes } from './audit-trail.ts';
import { activityRoutes } from './home.ts';
import { instanceRoutes } from './instance.ts';
import { mirrored } from './mirrored.ts';
import { onboardingRoutes } from './onboarding.ts';
import { dashboardPageRoutes } from './pages.ts';
import type { DashboardServices } from './services.ts';

/**
 * The pages of the dashboard and its private interface: what only people may do, and the API as it is, in an environment of the
 * path. It has a description of its own; the public one names none of it.
 */
export const dashboardRoutes: readonly Route<DashboardServices & HealthServices>[] = [
  ...dashboardPageRoutes,
  ...signInRoutes,
  ...oidcRoutes,
  ...secondStepRoutes,
  ...meRoutes,
  ...factorRoutes,
  ...credentialsRoutes,
  ...connectionRowRoutes,
  ...dashboardImportRoutes,
  ...connectionStatusRoutes,
  ...companyLogoRoutes,
  ...proxyTryRoutes,
  ...dashboardIntegrationRoutes,
  ...receivedWebhookRoutes,
  ...dashboardProviderRoutes,
  ...dashboardScriptRoutes,
  ...scriptRunRoutes,
  ...scopeDriftRoutes,
  ...scriptTestRoutes,
  ...settingsRoutes,
  ...signingKeyRoutes,
  ...webhookTargetRoutes,
  ...deliveryRoutes,
  ...keyRoutes,
  ...connectScreenRoutes,
  ...connectUiRoutes,
  ...variableRoutes,
  ...environmentsRoutes,
  ...memberRoutes,
  ...accountKeyRoutes,
  ...auditRoutes,
  ...instanceRoutes,
  ...onboardingRoutes,
  ...activityRoutes,
  ...dashboardLogRoutes,
  ...logStreamRoutes,
  ...mirrored(routes),
];
