import type { MembersDeps } from '../../tenants/members/deps.ts';
import type { FactorRules } from '../../tenants/members/factors/required.ts';
import type { Oidc } from '../../tenants/members/oidc.ts';
import type { HealthServices } from '../health.ts';
import type { ApiServices } from '../services.ts';

export type DashboardServices = ApiServices &
  MembersDeps &
  FactorRules &
  Pick<HealthServices, 'readiness'> & {
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
