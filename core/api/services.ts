import type { LifecycleDeps } from '../connect/deps.ts';
import type { ClientChannels } from '../connect/flows/client-channels.ts';
import type { FlowWatcher } from '../connect/flows/flow-watcher.ts';
import type { ConnectSessionsDeps } from '../connections/connect-sessions/deps.ts';
import type { IntegrationsDeps } from '../connections/integrations/deps.ts';
import type { DemoProvider } from '../demo-provider/demo-provider.ts';
import type { DiskUsage } from '../kit/disk-usage.ts';
import type { ProviderProxy } from '../proxy/proxy.ts';
import type { ScriptDeps } from '../scripts/deps.ts';
import type { BuiltUi } from '../server/pages/built-ui.ts';
import type { EnvironmentsDeps } from '../tenants/environments/deps.ts';
import type { MembersDeps } from '../tenants/members/deps.ts';
import type { FactorRules } from '../tenants/members/factors/required.ts';
import type { Oidc } from '../tenants/members/oidc.ts';
import type { WebhookIngress } from '../webhook-ingress/open-ingress.ts';
import type { CompanyLogos } from './company-logos/company-logos.ts';
import type { ClientSockets } from './connect/client-sockets.ts';
import type { HealthServices } from './health.ts';

/** The services that the endpoints use; created in `core/services.ts`. */
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
    /** The channels to existing frontends, which were written for another product's API; undefined if these are not supported. */
    readonly clientChannels: ClientChannels | undefined;
    readonly clientSockets: ClientSockets | undefined;
    /** The built pages for browsers; undefined if they have not been built. */
    readonly ui: BuiltUi | undefined;
    /** The pages that may embed the connect window, as the sources of the CSP directive `frame-ancestors`. */
    readonly frameAncestors: string;
    /** Reads the space of the embedded database’s disk; undefined with an external database, whose disk nobody here can see. */
    readonly disk: (() => Promise<DiskUsage>) | undefined;
    readonly version: string;
    /** The value of `SVC_SECURITY_CONTACT`. */
    readonly securityContacts: readonly string[];
    /** True when passwords may be sent to the service's address. */
    readonly mayUseHttp: boolean;
    /** The identity provider; undefined if none is configured. */
    readonly oidc: Oidc | undefined;
    /** The value of `SVC_OUTBOUND_ALLOW` in this process. */
    readonly outboundAllow: readonly string[];
    /** The kind of database: the service's own, or an external one. */
    readonly databaseKind: 'embedded' | 'external';
    readonly logRetentionDays: number;
    readonly logMaxBytes: number;
    /** The value of `SVC_COMPANY_LOGOS`. */
    readonly companyLogosFrom: string;
  };
