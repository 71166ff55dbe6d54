import type { Route } from '../../server/route.ts';
import type { HealthServices } from '../health.ts';
import { routes } from '../index.ts';
import { accountKeyRoutes } from './account-keys.ts';
import { activityRoutes } from './activity.ts';
import { auditRoutes } from './audit.ts';
import { companyLogoRoutes } from './company-logo.ts';
import { connectScreenRoutes } from './connect-screen.ts';
import { connectUiRoutes } from './connect-ui.ts';
import { dashboardImportRoutes } from './connection-import.ts';
import { connectionRowRoutes } from './connection-rows.ts';
import { connectionStatusRoutes } from './connection-status.ts';
import { credentialsRoutes } from './credentials.ts';
import { deliveryRoutes } from './deliveries.ts';
import { environmentsRoutes } from './environments.ts';
import { factorRoutes } from './factors.ts';
import { instanceRoutes } from './instance.ts';
import { dashboardIntegrationRoutes } from './integrations.ts';
import { keyRoutes } from './keys.ts';
import { logStreamRoutes } from './log-stream.ts';
import { dashboardLogRoutes } from './logs.ts';
import { meRoutes } from './me.ts';
import { memberRoutes } from './members.ts';
import { mirrored } from './mirrored.ts';
import { oidcRoutes } from './oidc.ts';
import { onboardingRoutes } from './onboarding.ts';
import { dashboardPageRoutes } from './pages.ts';
import { dashboardProviderRoutes } from './providers.ts';
import { proxyTryRoutes } from './proxy-try.ts';
import { receivedWebhookRoutes } from './received-webhooks.ts';
import { scopeDriftRoutes } from './scope-drift.ts';
import { scriptRunRoutes } from './script-runs.ts';
import { scriptTestRoutes } from './script-test.ts';
import { dashboardScriptRoutes } from './scripts.ts';
import { secondStepRoutes } from './second-step.ts';
import type { DashboardServices } from './services.ts';
import { settingsRoutes } from './settings.ts';
import { signInRoutes } from './sign-in.ts';
import { signingKeyRoutes } from './signing-key.ts';
import { variableRoutes } from './variables.ts';
import { webhookTargetRoutes } from './webhook-targets.ts';

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
