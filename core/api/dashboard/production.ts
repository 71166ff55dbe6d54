import type { Environment } from '../../environments/environment-store.ts';
import { ServiceError } from '../../errors.ts';
import type { ActingMember, MemberCaller } from '../../members/caller.ts';
import { requireConfirmed } from '../../members/sign-in.ts';

/** What gives power over an environment for production is for admins. @throws ServiceError `forbidden` */
export function requireProductionRole({ role }: MemberCaller, { isProduction }: Pick<Environment, 'isProduction'>): void {
  if (!isProduction || role === 'admin') return;
  throw new ServiceError('forbidden', `your role (${role}) can't read or make secrets of production; ask an admin`);
}

/** For what could show secrets of production by a detour. @throws ServiceError `password_needed` */
export function requireConfirmedInProduction({ member, isProduction }: ActingMember): void {
  if (isProduction) requireConfirmed(member);
}
