import type { AuthorizationDeps } from '../authorization/deps.ts';
import type { SessionDeps } from '../connect-sessions/sessions.ts';
import type { EnvironmentsDeps } from '../environments/deps.ts';
import type { IntegrationChangeDeps } from '../integrations/change-integration.ts';
import type { ProviderProxy } from '../proxy/proxy.ts';
import type { DeployDeps } from '../scripts/scripts.ts';
import type { MessageDeps } from '../webhook-delivery/messages.ts';
import type { ReplayDeps } from '../webhook-delivery/replay.ts';
import type { IngressDeps } from '../webhook-ingress/ingress.ts';

/** All that the endpoints need, made once by the composition root. */
export type ApiServices = AuthorizationDeps &
  SessionDeps &
  EnvironmentsDeps &
  IntegrationChangeDeps &
  MessageDeps &
  ReplayDeps &
  DeployDeps &
  IngressDeps & {
    readonly proxy: ProviderProxy;
    /** Remembers that a connection was used. */
    readonly touch: (connectionRowId: number) => void;
    /** The public address, without a slash at its end. */
    readonly baseUrl: string;
  };
