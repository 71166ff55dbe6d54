import type { Route } from '../server/route.ts';
import { apiKeyRoutes } from './api-keys/routes.ts';
import { authorizeRoutes } from './connect/authorize.ts';
import { clientDocumentRoutes } from './connect/client-document.ts';
import { connectFormRoutes } from './connect/connect-form.ts';
import { directRoutes } from './connect/direct.ts';
import { flowChoiceRoutes } from './connect/flow-choice.ts';
import { flowRoutes } from './connect/flows.ts';
import { formCallbackRoutes } from './connect/form-callback.ts';
import { launchRoutes } from './connect/launch.ts';
import { windowRoutes } from './connect/window.ts';
import { connectSessionRoutes } from './connect-sessions/routes.ts';
import { connectionRoutes } from './connections/routes.ts';
import { sandboxRoutes } from './demo-provider.ts';
import { brandLogoRoutes } from './environments/brand-logo.ts';
import { environmentRoutes } from './environments/routes.ts';
import { type HealthServices, healthRoutes } from './health.ts';
import { integrationChangeRoutes } from './integrations/integration-changes.ts';
import { integrationRoutes } from './integrations/routes.ts';
import { logRoutes } from './logs/routes.ts';
import { openApiRoutes } from './openapi.ts';
import { providerRoutes } from './providers/routes.ts';
import { proxy } from './proxy/routes.ts';
import { rootRoutes } from './root.ts';
import { scriptRoutes } from './scripts/routes.ts';
import type { ApiServices } from './services.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { webhookInboxRoutes } from './webhooks/webhook-inbox.ts';
import { webhookMessageRoutes } from './webhooks/webhook-messages.ts';

/** Every endpoint. The router, the validation and the OpenAPI document are made from this list. */
export const routes: readonly Route<ApiServices & HealthServices>[] = [
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
  ...openApiRoutes(() => routes),
  ...rootRoutes,
];
