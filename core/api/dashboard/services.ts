import type { MembersDeps } from '../../members/deps.ts';
import type { Oidc } from '../../members/oidc.ts';
import type { ApiServices } from '../services.ts';

export type DashboardServices = ApiServices &
  MembersDeps & {
    readonly version: string;
    /** Whether passwords may be sent to this address. */
    readonly mayUseHttp: boolean;
    /** Whether people may sign in by password. */
    readonly takesPasswords: boolean;
    /** Undefined: no identity provider is configured. */
    readonly oidc: Oidc | undefined;
  };
