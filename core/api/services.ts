import type { LifecycleDeps } from '../connect/deps.ts';
import type { ClientChannels } from '../connect/flows/client-channels.ts';
import type { FlowWatcher } from '../connect/flows/flow-watcher.ts';
import type { ConnectSessionsDeps } from '../connections/connect-sessions/deps.ts';
import type { IntegrationsDeps } from '../connections/integrations/deps.ts';
import type { DemoProvider } from '../demo-provider/demo-provider.ts';
import type { ProviderProxy } from '../proxy/proxy.ts';
import type { ScriptDeps } from '../scripts/deps.ts';
import type { BuiltUi } from '../server/pages/built-ui.ts';
import type { EnvironmentsDeps } from '../tenants/environments/deps.ts';
import type { MembersDeps } from '../tenants/members/deps.ts';
import type { FactorRules } from '../tenants/members/factors/required.ts';
import type { Oidc } from '../tenants/members/oidc.ts';
import type { WebhookIngress } from '../webhook-ingress/ingress.ts';
import type { CompanyLogos } from './company-logos/company-logos.ts';
import type { ClientSockets } from './connect/client-sockets.ts';
import type { HealthServices } from './health.ts';

/** What the endpoints use; created in `services.ts`. */
export type ApiServices = LifecycleDeps &
  ScriptDeps &
  ConnectSessionsDeps &
  EnvironmentsDeps &
  IntegrationsDeps &
  WebhookIngress &
  MembersDeps &
  FactorRules &
  HealthServices & {
    readonly proxy: ProviderProxy;
    readonly flowWatcher: FlowWatcher;
    readonly demoProvider: Pick<DemoProvider, 'show' | 'decide'>;
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
    /** Of the service. */
    readonly version: string;
    /** Whether passwords may be sent to this address. */
    readonly mayUseHttp: boolean;
    /** Undefined: no identity provider is configured. */
    readonly oidc: Oidc | undefined;
    /** `SVC_OUTBOUND_ALLOW` of this process. */
    readonly outboundAllow: readonly string[];
    /** Whether the service runs its own database, or uses one that it was given. */
    readonly databaseKind: 'embedded' | 'external';
    readonly logRetentionDays: number;
    /** `SVC_COMPANY_LOGOS` */
    readonly companyLogosFrom: string;
  };
