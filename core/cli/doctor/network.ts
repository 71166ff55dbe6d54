import type { Config } from '../../config/schema.ts';
import type { Clock } from '../../kit/clock.ts';
import type { KeyRing } from '../../kit/key-ring.ts';
import { type DoctorCheck, warn } from './check.ts';
import { type ProbeResult, probeHealth, probeUpgrade } from './health-probe.ts';
import { checkPublicUrl } from './public-url.ts';
import { checkForwarding, checkLargeHeaders, checkUpgrade, FORGED_CLIENT, LARGE_HEADER_BYTES } from './reverse-proxy.ts';

interface ServiceAddress {
  readonly config: Pick<Config, 'SVC_BASE_URL' | 'HOST' | 'PORT' | 'SVC_TRUSTED_PROXIES'>;
  /** The encryption keys; undefined when there are none yet. */
  readonly keys: KeyRing | undefined;
  readonly clock: Clock;
}

interface NetworkInspection {
  readonly checks: readonly DoctorCheck[];
  /** How far the service's clock is ahead of this machine's, in milliseconds; undefined when the service does not respond. */
  readonly serviceAheadMs: number | undefined;
}

/** Calls the service from outside, and compares the requests as sent with the requests as received. */
export async function checkNetwork({ config, keys, clock }: ServiceAddress): Promise<NetworkInspection> {
  const baseUrl = config.SVC_BASE_URL;
  const localUrl = listeningAt(config);
  const [atBase, atLocal] = await Promise.all([
    probeHealth({ baseUrl, keys, clock }),
    localUrl === undefined ? undefined : probeHealth({ baseUrl: localUrl, keys, clock }),
  ]);
  const publicUrl = checkPublicUrl({ baseUrl, localUrl, atBase, atLocal });
  if (atBase.kind !== 'this-installation') {
    const unchecked = warn('proxy-headers', 'not checked: SVC_BASE_URL does not reach this service', 'fix public-url first');
    return { checks: [publicUrl, unchecked], serviceAheadMs: aheadMs(atLocal) };
  }
  const [forged, large, upgrade] = await Promise.all([
    probeHealth({ baseUrl, keys, clock }, { 'x-forwarded-for': FORGED_CLIENT }),
    probeHealth({ baseUrl, keys, clock }, { 'svc-padding': 'x'.repeat(LARGE_HEADER_BYTES) }),
    probeUpgrade({ baseUrl, keys }),
  ]);
  const forwarding = checkForwarding({
    baseUrl,
    localUrl,
    sighting: atBase.sighting,
    forged,
    trusted: config.SVC_TRUSTED_PROXIES,
  });
  return {
    checks: [publicUrl, forwarding, checkUpgrade(upgrade), checkLargeHeaders(large)],
    serviceAheadMs: aheadMs(atBase),
  };
}

function aheadMs(result: ProbeResult | undefined): number | undefined {
  return result?.kind === 'this-installation' ? result.aheadMs : undefined;
}

/**
 * Returns the URL at which the service listens; undefined when any free port is used. A wildcard address can be listened on but
 * not called, so loopback replaces it.
 */
function listeningAt({ HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>): string | undefined {
  if (PORT === 0) return undefined;
  const host = HOST === '0.0.0.0' ? '127.0.0.1' : HOST === '::' ? '::1' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`;
}
