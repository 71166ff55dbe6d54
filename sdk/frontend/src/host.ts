/** The address of the service, told from that of its script; undefined for a copy that is served by somebody else. */
export function hostOf(script: string | undefined): string | undefined {
  return script?.match(/^(http.+)\/sdk\/v1\./)?.[1];
}

/** @throws TypeError where it is no address */
export function checkedHost(host = ''): string {
  if (!/^https?:/.test(host)) throw new TypeError(`host is no address: ${host}`);
  return host.replace(/\/$/, '');
}
