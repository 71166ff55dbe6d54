import type { Sighting } from '../../kit/probe.ts';
import { type Check, fail, ok, warn } from './check.ts';
import type { Visit } from './visit.ts';

const NAME = 'proxy-headers';
/** Of a network that is nobody's (RFC 5737). */
export const FORGED_CLIENT = '192.0.2.1';
/** Below our own limit of 32 KiB for a whole head. */
export const LARGE_HEADER_BYTES = 12 * 1024;

const NGINX_FORWARDING = 'in nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for';
const NGINX_UPGRADE =
  'in nginx: proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "upgrade"';

interface Way {
  readonly baseUrl: string;
  /** Where the service listens; undefined when that is not known. */
  readonly localUrl: string | undefined;
  readonly sighting: Sighting;
  /** How a request arrived that claimed to come from `FORGED_CLIENT`. */
  readonly forged: Visit;
}

/** Whether the service learns from a reverse proxy for whom it calls, and from nobody else. */
export function checkForwarding(way: Way): Check {
  const { peer, forwardedFor } = way.sighting;
  if (forwardedFor === null) return hasReverseProxy(way) ? withoutForwarding(way) : ok(NAME, 'requests arrive directly');
  // Who is believed is never the client: what it says stands for another, if only for the one that we claimed to be.
  const isBelieved = way.forged.kind === 'ours' && way.forged.sighting.client !== way.forged.sighting.peer;
  if (isBelieved) return ok(NAME, `the reverse proxy at ${peer} is believed, and callers are told apart`);
  return warn(
    NAME,
    `the reverse proxy at ${peer} says for whom it calls, and is not believed: all callers count as one`,
    `set SVC_TRUSTED_PROXIES=${plain(peer)}, with every further reverse proxy on the way`,
  );
}

/** We speak no TLS, and listen on one port: whatever is otherwise there is not us. */
function hasReverseProxy({ baseUrl, localUrl }: Way): boolean {
  return new URL(baseUrl).protocol === 'https:' || (localUrl !== undefined && portOf(baseUrl) !== portOf(localUrl));
}

function withoutForwarding({ sighting: { peer }, forged }: Way): Check {
  if (forged.kind === 'ours' && forged.sighting.client === FORGED_CLIENT)
    return fail(
      NAME,
      `the reverse proxy at ${peer} passes on what callers claim in X-Forwarded-For, so that they can be whoever they want`,
      `let it append to X-Forwarded-For or replace it, e.g. ${NGINX_FORWARDING}`,
    );
  return warn(
    NAME,
    `the reverse proxy at ${peer} does not say for whom it calls: all callers count as one`,
    `let it set X-Forwarded-For, e.g. ${NGINX_FORWARDING}`,
  );
}

export function checkUpgrade(arrived: boolean | undefined): Check {
  if (arrived === true) return ok('websocket', 'the wish for a WebSocket arrives');
  return warn(
    'websocket',
    'the wish for a WebSocket does not arrive: WebSocket calls through /proxy/ fail',
    `let the reverse proxy pass it on, e.g. ${NGINX_UPGRADE}`,
  );
}

export function checkLargeHeaders(visit: Visit): Check {
  const size = `${LARGE_HEADER_BYTES / 1024} KB`;
  if (visit.kind === 'ours') return ok('large-headers', `${size} of header fields arrive`);
  const how = visit.kind === 'silence' ? visit.reason : `status ${visit.answer.status}`;
  return warn(
    'large-headers',
    `${size} of header fields do not arrive (${how}), and some providers' sign-ins need them`,
    'raise the limit of the reverse proxy, e.g. in nginx: large_client_header_buffers 4 16k',
  );
}

function portOf(url: string): string {
  return new URL(url).port;
}

/** `::ffff:192.0.2.1` is how an IPv4 address looks to a socket that listens on IPv6. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}
