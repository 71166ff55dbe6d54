import { inDashboard, type Route } from '../server/route.ts';
import { accountKeyRoutes } from './api-keys/account-keys.ts';
import { keyRoutes } from './api-keys/dashboard-routes.ts';
import { apiKeyRoutes } from './api-keys/routes.ts';
import { companyLogoRoutes } from './company-logos/company-logo.ts';
import { authorizeRoutes } from './connect/authorize.ts';
import { clientDocumentRoutes } from './connect/client-document.ts';
import { connectFormRoutes } from './connect/connect-form.ts';
import { connectScreenRoutes } from './connect/connect-screen.ts';
import { directRoutes } from './connect/direct.ts';
import { flowChoiceRoutes } from './connect/flow-choice.ts';
import { flowRoutes } from './connect/flows.ts';
import { formCallbackRoutes } from './connect/form-callback.ts';
import { launchRoutes } from './connect/launch.ts';
import { windowRoutes } from './connect/window.ts';
import { connectSessionRoutes } from './connect-sessions/routes.ts';
import { connectionStatusRoutes } from './connections/connection-status.ts';
import { credentialsRoutes } from './connections/credentials.ts';
import { dashboardImportRoutes } from './connections/dashboard-import.ts';
import { connectionRowRoutes } from './connections/dashboard-routes.ts';
import { connectionRoutes } from './connections/routes.ts';
import { auditRoutes } from './dashboard/audit-trail.ts';
import { activityRoutes } from './dashboard/home.ts';
import { instanceRoutes } from './dashboard/instance.ts';
import { onboardingRoutes } from './dashboard/onboarding.ts';
import { dashboardPageRoutes } from './dashboard/pages.ts';
import { searchRoutes } from './dashboard/search.ts';
import { sandboxRoutes } from './demo-provider.ts';
import { brandLogoRoutes } from './environments/brand-logo.ts';
import { connectUiRoutes } from './environments/connect-ui.ts';
import { environmentsRoutes } from './environments/dashboard-routes.ts';
import { environmentRoutes } from './environments/routes.ts';
import { settingsRoutes } from './environments/settings.ts';
import { signingKeyRoutes } from './environments/signing-key.ts';
import { variableRoutes } from './environments/variables.ts';
import { healthRoutes } from './health.ts';
import { dashboardIntegrationRoutes } from './integrations/dashboard-routes.ts';
import { integrationChangeRoutes } from './integrations/integration-changes.ts';
import { integrationRoutes } from './integrations/routes.ts';
import { scopeDriftRoutes } from './integrations/scope-drift.ts';
import { integrationStatusRoutes } from './integrations/status.ts';
import { dashboardLogRoutes } from './logs/dashboard-routes.ts';
import { logCountRoutes } from './logs/log-counts.ts';
import { logStreamRoutes } from './logs/log-stream.ts';
import { logRoutes } from './logs/routes.ts';
import { factorRoutes } from './members/factors.ts';
import { meRoutes } from './members/me.ts';
import { oidcRoutes } from './members/oidc.ts';
import { memberRoutes } from './members/routes.ts';
import { secondStepRoutes } from './members/second-step.ts';
import { signInRoutes } from './members/sign-in.ts';
import { openApiRoutes } from './openapi.ts';
import { dashboardProviderRoutes } from './providers/dashboard-routes.ts';
import { providerRoutes } from './providers/routes.ts';
import { proxyTryRoutes } from './proxy/proxy-try.ts';
import { proxy } from './proxy/routes.ts';
import { rootRoutes } from './root.ts';
import { dashboardScriptRoutes } from './scripts/dashboard-routes.ts';
import { scriptRoutes } from './scripts/routes.ts';
import { scriptRunRoutes } from './scripts/script-runs.ts';
import { scriptTestRoutes } from './scripts/script-test.ts';
import { securityTxtRoutes } from './security-txt.ts';
import type { ApiServices } from './services.ts';
import { deliveryRoutes } from './webhooks/deliveries.ts';
import { receivedWebhookRoutes } from './webhooks/received-webhooks.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { webhookInboxRoutes } from './webhooks/webhook-inbox.ts';
import { webhookMessageRoutes } from './webhooks/webhook-messages.ts';
import { webhookTargetRoutes } from './webhooks/webhook-targets.ts';

/** The API, and the pages for end users who connect. The OpenAPI document and the clients are generated from this list. */
export const publicRoutes: readonly Route<ApiServices>[] = [
  ...providerRoutes,
  ...integrationRoutes,
  ...integrationChangeRoutes,
  ...scriptRoutes,
  ...connectSessionRoutes,
  ...connectFormRoutes,
  ...brandLogoRoutes,
  ...authorizeRoutes,
  ...formCallbackRoutes,
  ...clientDocumentRoutes,
  ...flowRoutes,
  ...launchRoutes,
  ...flowChoiceRoutes,
  ...directRoutes,
  ...windowRoutes,
  ...connectionRoutes,
  ...environmentRoutes,
  ...apiKeyRoutes,
  ...logRoutes,
  ...webhookRoutes,
  ...webhookMessageRoutes,
  ...webhookInboxRoutes,
  proxy,
  ...sandboxRoutes,
  ...healthRoutes,
  ...securityTxtRoutes,
  ...openApiRoutes(() => publicRoutes),
  ...rootRoutes,
];

/**
 * The dashboard: its pages, the endpoints for members only, and those API endpoints that members may use in the environment named
 * in the path. They are described in a separate OpenAPI document; the public one contains none of them.
 */
export const dashboardRoutes: readonly Route<ApiServices>[] = [
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
  ...integrationStatusRoutes,
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
  ...logCountRoutes,
  ...searchRoutes,
  ...logStreamRoutes,
  ...inDashboard(publicRoutes),
];

/** Every endpoint. The router and the validation are built from this list. */
export const routes: readonly Route<ApiServices>[] = [...publicRoutes, ...dashboardRoutes];
