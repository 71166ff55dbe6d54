import type { Config } from '../config/schema.ts';
import { portOf } from '../kit/address-guard.ts';
import { type OutboundProxy, readProxy } from '../kit/outbound-proxy.ts';

/**
 * Returns the proxy of `SVC_OUTBOUND_PROXY`; undefined if none is set. The service's own addresses are always called directly.
 */
export function outboundProxyOf(config: Config): OutboundProxy | undefined {
  const { SVC_OUTBOUND_PROXY: url, SVC_OUTBOUND_PROXY_BYPASS: bypass, SVC_BASE_URL: baseUrl, PORT: port } = config;
  if (url === undefined) return undefined;
  const base = new URL(baseUrl);
  const own = `${base.hostname}:${portOf(base)}`;
  const listening = ['localhost', '127.0.0.1', '[::1]'].map((host) => `${host}:${port}`);
  // Port 0 stands for any free port, as in tests.
  return readProxy(url, [...bypass, ...[own, ...listening].filter((address) => !address.endsWith(':0'))]);
}
