import { isListed, portOf, subnets, unmapped } from '../../kit/address-guard.ts';
import type { Sighting } from '../../kit/probe.ts';
import { type DoctorCheck, fail, ok, warn } from './check.ts';
import type { ProbeResult } from './health-probe.ts';

const NAME = 'proxy-headers';
/**
 * The address that a test request claims in `X-Forwarded-For`. It is from a network reserved for documentation (RFC 5737), so no
 * real client has it.
 */
export const FORGED_CLIENT = '192.0.2.1';
/** Size of the header field that is sent as a test: below the service's own limit of 32 KiB for all header fields. */
export const LARGE_HEADER_BYTES = 12 * 1024;

const NGINX_FORWARDING = 'in nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for';
const NGINX_UPGRADE =
  'in nginx: proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "upgrade"';

interface ForwardingObservation {
  readonly baseUrl: string;
  /** URL at which the service listens; undefined when unknown. */
  readonly localUrl: string | undefined;
  readonly sighting: Sighting;
  /** The result of a request that claimed to come from `FORGED_CLIENT`. */
  readonly forged: ProbeResult;
  /** The value of `SVC_TRUSTED_PROXIES`. */
  readonly trusted: readonly string[];
}

/** Checks whether the service takes the client's IP address from trusted reverse proxies only. */
export function checkForwarding(observation: ForwardingObservation): DoctorCheck {
  const { peer, forwardedFor } = observation.sighting;
  if (forwardedFor === null)
    return hasReverseProxy(observation) ? withoutForwarding(observation) : ok(NAME, 'requests arrive directly');
  if (isTrusted(observation, { peer, forwardedFor }))
    return ok(NAME, `the reverse proxy at ${peer} is trusted, and callers are told apart by their IP address`);
  return warn(
    NAME,
    `the reverse proxy at ${peer} is not trusted, so all callers seem to have its IP address`,
    `set SVC_TRUSTED_PROXIES=${unmapped(peer)}, plus any other reverse proxies in between`,
  );
}

function isTrusted(
  { forged, trusted }: ForwardingObservation,
  { peer, forwardedFor }: { readonly peer: string; readonly forwardedFor: string },
): boolean {
  const proxy = unmapped(peer);
  // Where this command calls from the address of the proxy itself, as on one machine, the service sees the same client either way.
  if (unmapped(forwardedFor.split(',').at(-1)?.trim() ?? '') === proxy && isListed(subnets(trusted), proxy)) return true;
  // A trusted proxy is never itself the client: `client` is then the forwarded address, even if that is only the forged one.
  return forged.kind === 'this-installation' && forged.sighting.client !== forged.sighting.peer;
}

/**
 * Returns whether requests pass through a reverse proxy. The service itself speaks no TLS and listens on one port, so https or
 * another port in its public URL belongs to a reverse proxy.
 */
function hasReverseProxy({ baseUrl, localUrl }: ForwardingObservation): boolean {
  return (
    new URL(baseUrl).protocol === 'https:' || (localUrl !== undefined && portOf(new URL(baseUrl)) !== portOf(new URL(localUrl)))
  );
}

function withoutForwarding({ sighting: { peer }, forged }: ForwardingObservation): DoctorCheck {
  if (forged.kind === 'this-installation' && forged.sighting.client === FORGED_CLIENT)
    return fail(
      NAME,
      `the reverse proxy at ${peer} forwards X-Forwarded-For from callers unchanged, so they can forge their IP address`,
      `configure it to append to X-Forwarded-For or replace it, e.g. ${NGINX_FORWARDING}`,
    );
  return warn(
    NAME,
    `the reverse proxy at ${peer} does not set X-Forwarded-For, so all callers seem to have its IP address`,
    `configure it to set X-Forwarded-For, e.g. ${NGINX_FORWARDING}`,
  );
}

export function checkUpgrade(arrived: boolean | undefined): DoctorCheck {
  if (arrived === true) return ok('websocket', 'upgrade requests arrive');
  return warn(
    'websocket',
    'upgrade requests do not arrive: WebSocket calls through /proxy/ fail',
    `configure the reverse proxy to forward them, e.g. ${NGINX_UPGRADE}`,
  );
}

export function checkLargeHeaders(result: ProbeResult): DoctorCheck {
  const size = `${LARGE_HEADER_BYTES / 1024} KB`;
  if (result.kind === 'this-installation') return ok('large-headers', `${size} of header fields arrive`);
  const reason = result.kind === 'unreachable' ? result.reason : `status ${result.response.status}`;
  return warn(
    'large-headers',
    `${size} of header fields do not arrive (${reason}), but some providers' sign-ins need them`,
    'raise the limit of the reverse proxy, e.g. in nginx: large_client_header_buffers 4 16k',
  );
}
