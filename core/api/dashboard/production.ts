import type { Environment } from '../../environments/environment-store.ts';
import { ServiceError } from '../../errors.ts';
import type { MemberCaller } from '../../members/caller.ts';

/** What gives power over an environment for production is for admins. @throws ServiceError `forbidden` */
export function requireProductionRole({ role }: MemberCaller, { isProduction }: Pick<Environment, 'isProduction'>): void {
  if (!isProduction || role === 'admin') return;
  throw new ServiceError('forbidden', `your role (${role}) can't read or make secrets of production; ask an admin`);
}
