import type { AuthorizationDeps } from '../authorization/deps.ts';
import type { SessionDeps } from '../connect-sessions/sessions.ts';
import type { EnvironmentsDeps } from '../environments/deps.ts';
import type { IntegrationChangeDeps } from '../integrations/change-integration.ts';
import type { ProviderProxy } from '../proxy/proxy.ts';
import type { WebhookIngress } from '../webhook-ingress/ingress.ts';

/** What the endpoints use; created in `services.ts`. */
export type ApiServices = AuthorizationDeps &
  SessionDeps &
  EnvironmentsDeps &
  IntegrationChangeDeps &
  WebhookIngress & {
    readonly proxy: ProviderProxy;
    /** Records that a connection was used. */
    readonly touch: (connectionRowId: number) => void;
    /** The public URL, without a trailing slash. */
    readonly baseUrl: string;
  };
