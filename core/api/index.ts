import type { Route } from '../server/route.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { authorizeRoutes } from './authorize.ts';
import { brandLogoRoutes } from './brand-logo.ts';
import { clientDocumentRoutes } from './client-document.ts';
import { connectFormRoutes } from './connect-form.ts';
import { connectSessionRoutes } from './connect-sessions.ts';
import { connectionRoutes } from './connections.ts';
import { directRoutes } from './direct.ts';
import { environmentRoutes } from './environments.ts';
import { flowChoiceRoutes } from './flow-choice.ts';
import { flowRoutes } from './flows.ts';
import { formCallbackRoutes } from './form-callback.ts';
import { type HealthServices, healthRoutes } from './health.ts';
import { integrationChangeRoutes } from './integration-changes.ts';
import { integrationRoutes } from './integrations.ts';
import { launchRoutes } from './launch.ts';
import { logRoutes } from './logs.ts';
import { openApiRoutes } from './openapi.ts';
import { providerRoutes } from './providers.ts';
import { proxy } from './proxy.ts';
import { rootRoutes } from './root.ts';
import { sandboxRoutes } from './sandbox.ts';
import { scriptRoutes } from './scripts.ts';
import type { ApiServices } from './services.ts';
import { webhookInboxRoutes } from './webhook-inbox.ts';
import { webhookMessageRoutes } from './webhook-messages.ts';
import { webhookRoutes } from './webhooks.ts';
import { windowRoutes } from './window.ts';

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
