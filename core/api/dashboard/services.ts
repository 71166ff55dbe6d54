import type { MembersDeps } from '../../members/deps.ts';
import type { ApiServices } from '../services.ts';

export type DashboardServices = ApiServices & MembersDeps & { readonly version: string; readonly mayUseHttp: boolean };
