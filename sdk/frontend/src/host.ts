/** Returns the address of the service, derived from that of its script; undefined for a script that another server hosts. */
export function hostOf(script: string | undefined): string | undefined {
  return script?.match(/^(http.+)\/sdk\/v1\./)?.[1];
}

/** Returns the address without a slash at its end. @throws TypeError if it is not a URL */
export function checkedHost(host = ''): string {
  if (!/^https?:/.test(host)) throw new TypeError(`host must be the URL of the service: ${host}`);
  return host.replace(/\/$/, '');
}
