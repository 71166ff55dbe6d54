import { ServiceError } from '../../errors.ts';

/** Whether passwords may be sent to this address: by https, on this machine, or because the operator says so. */
export function mayUseHttp(baseUrl: string, isAllowed: boolean): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return isAllowed || protocol === 'https:' || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** @throws ServiceError `forbidden` */
export function requireEncrypted({ mayUseHttp }: { readonly mayUseHttp: boolean }): void {
  if (mayUseHttp) return;
  throw new ServiceError(
    'forbidden',
    'the connection is not encrypted: use https in SVC_BASE_URL, or set SVC_ALLOW_HTTP=on to sign in nevertheless',
  );
}
