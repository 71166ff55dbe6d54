import { ServiceError } from '../../errors.ts';
import { isSafeToVisit } from '../../tenants/environments/origins.ts';

/**
 * Returns whether passwords may be sent to this address: it uses https or is on this machine, or the operator allows plain http.
 */
export function mayUseHttp(baseUrl: string, isAllowed: boolean): boolean {
  return isAllowed || isSafeToVisit(new URL(baseUrl));
}

/** Refuses a request if passwords must not be sent to the service's address. @throws ServiceError `forbidden` */
export function requireEncrypted({ mayUseHttp }: { readonly mayUseHttp: boolean }): void {
  if (mayUseHttp) return;
  throw new ServiceError(
    'forbidden',
    'signing in needs https: use https in SVC_BASE_URL, or set SVC_ALLOW_HTTP=on to sign in over plain http',
  );
}
