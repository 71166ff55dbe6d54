import type { BeginDeps } from '../authorization/begin.ts';
import type { CallbackDeps } from '../authorization/callback.ts';
import type { DirectDeps } from '../authorization/direct.ts';
import type { SessionDeps } from '../connect-sessions/sessions.ts';
import type { FreshDeps } from '../credentials/fresh.ts';
import type { EnvironmentsDeps } from '../environments/deps.ts';
import type { IntegrationChangeDeps } from '../integrations/change-integration.ts';
import type { DeletionDeps } from '../lifecycle/connection-deleting.ts';
import type { ImportDeps } from '../lifecycle/import-connection.ts';
import type { MarkingDeps } from '../lifecycle/integration-deleting.ts';
import type { ProviderProxy } from '../proxy/proxy.ts';
import type { DeployDeps } from '../scripts/scripts.ts';
import type { MessageDeps } from '../webhook-delivery/messages.ts';
import type { ReplayDeps } from '../webhook-delivery/replay.ts';
import type { IngressDeps } from '../webhook-ingress/ingress.ts';

/** All that the endpoints need, made once by the composition root. */
export type ApiServices = BeginDeps &
  CallbackDeps &
  DirectDeps &
  SessionDeps &
  FreshDeps &
  EnvironmentsDeps &
  IntegrationChangeDeps &
  DeletionDeps &
  ImportDeps &
  MarkingDeps &
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
