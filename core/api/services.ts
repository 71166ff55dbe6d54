import type { ClientChannels } from '../connect/flows/client-channels.ts';
import type { AuthorizationDeps } from '../connect/flows/deps.ts';
import type { FlowWatcher } from '../connect/flows/flow-watcher.ts';
import type { ConnectSessionsDeps } from '../connections/connect-sessions/deps.ts';
import type { IntegrationsDeps } from '../connections/integrations/deps.ts';
import type { Sandbox } from '../demo-provider/sandbox.ts';
import type { ProviderProxy } from '../proxy/proxy.ts';
import type { BuiltUi } from '../server/pages/built-ui.ts';
import type { EnvironmentsDeps } from '../tenants/environments/deps.ts';
import type { WebhookIngress } from '../webhook-ingress/ingress.ts';
import type { CompanyLogos } from './company-logos/company-logos.ts';
import type { ClientSockets } from './connect/client-sockets.ts';

/** What the endpoints use; created in `services.ts`. */
export type ApiServices = AuthorizationDeps &
  ConnectSessionsDeps &
  EnvironmentsDeps &
  IntegrationsDeps &
  WebhookIngress & {
    readonly proxy: ProviderProxy;
    readonly flowWatcher: FlowWatcher;
    readonly sandbox: Pick<Sandbox, 'show' | 'decide'>;
    readonly companyLogos: Pick<CompanyLogos, 'find'>;
    /** Records that a connection was used. */
    readonly touch: (connectionRowId: number) => void;
    /** The public URL, without a trailing slash. */
    readonly baseUrl: string;
    /** Of existing frontends; undefined: they are not served. */
    readonly clientChannels: ClientChannels | undefined;
    readonly clientSockets: ClientSockets | undefined;
    /** The pages for browsers; undefined: they have not been built. */
    readonly ui: BuiltUi | undefined;
    /** Pages that may embed the connect window, as a list of sources in a policy (CSP). */
    readonly frameAncestors: string;
  };
