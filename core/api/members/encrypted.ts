import { ServiceError } from '../../errors.ts';
import { isSafeToVisit } from '../../tenants/environments/origins.ts';

/** Returns whether passwords may be sent to this address: by https, on this machine, or because the operator allows it. */
export function mayUseHttp(baseUrl: string, isAllowed: boolean): boolean {
  return isAllowed || isSafeToVisit(new URL(baseUrl));
}

/** Refuses where passwords may not be sent. @throws ServiceError `forbidden` */
export function requireEncrypted({ mayUseHttp }: { readonly mayUseHttp: boolean }): void {
  if (mayUseHttp) return;
  throw new ServiceError(
    'forbidden',
    'signing in needs https: use https in SVC_BASE_URL, or set SVC_ALLOW_HTTP=on to sign in over plain http',
  );
}
