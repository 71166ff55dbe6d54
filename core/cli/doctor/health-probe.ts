import { randomBytes } from 'node:crypto';
import { portOf } from '../../kit/address-guard.ts';
import type { Clock } from '../../kit/clock.ts';
import { faultKind } from '../../kit/fault-words.ts';
import { withLowerCaseNames } from '../../kit/header-names.ts';
import type { KeyRing } from '../../kit/key-ring.ts';
import { createOutbound, type Outbound, type OutboundRequest, type OutboundResponse } from '../../kit/outbound.ts';
import { OutboundError } from '../../kit/outbound-error.ts';
import { newProbe, PROBE_HEADER, readSighting, type Sighting } from '../../kit/probe.ts';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 64 * 1024;

/** The kind of server that responded to a request to `/health`. */
export type ProbeResult =
  | {
      readonly kind: 'this-installation';
      readonly sighting: Sighting;
      /** How far the clock of the service is ahead of this machine's, in milliseconds. */
      readonly aheadMs: number;
      readonly response: OutboundResponse;
    }
  /** This service, but with other encryption keys. */
  | { readonly kind: 'other-installation'; readonly response: OutboundResponse }
  | { readonly kind: 'other-server'; readonly response: OutboundResponse }
  | {
      readonly kind: 'unreachable';
      readonly reason: string;
      /** The code of Node or TLS, if the server's certificate is the reason. */
      readonly certificateFault?: string | undefined;
    };

interface ProbeTarget {
  /** The base URL of the service; no other address is called. */
  readonly baseUrl: string;
  /** The encryption keys, by which this installation is recognised; undefined when there are none. */
  readonly keys: KeyRing | undefined;
  readonly clock: Clock;
}

/** Calls `/health`, and reads from the response how the request arrived. */
export async function probeHealth(
  { baseUrl, keys, clock }: ProbeTarget,
  headers: OutboundRequest['headers'] = {},
): Promise<ProbeResult> {
  const base = new URL(baseUrl);
  await using outbound = createOutbound({ allow: [`${base.hostname}:${portOf(base)}`] });
  const probe = keys === undefined ? {} : { [PROBE_HEADER]: newProbe(keys) };
  const url = new URL(`${baseUrl}/health`);
  const bounds = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES };
  const before = clock.now().getTime();
  try {
    const response = await outbound.call(url, { headers: { ...headers, ...probe }, ...bounds });
    return classify(response, (before + clock.now().getTime()) / 2);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const isOfCertificate = error instanceof OutboundError && faultKind(error) === 'certificate';
    return { kind: 'unreachable', reason, certificateFault: isOfCertificate ? error.fault : undefined };
  }
}

/**
 * Calls `/health` with the upgrade request of a WebSocket.
 *
 * @returns whether the service received it as one; undefined without a response
 */
export async function probeUpgrade({ baseUrl, keys }: Omit<ProbeTarget, 'clock'>): Promise<boolean | undefined> {
  const base = new URL(baseUrl);
  await using outbound = createOutbound({ allow: [`${base.hostname}:${portOf(base)}`] });
  const probe = keys === undefined ? {} : { [PROBE_HEADER]: newProbe(keys) };
  const headers = await requestUpgrade(outbound, new URL(`${baseUrl}/health`), { ...probe, ...newHandshake() });
  return headers && readSighting(headers[PROBE_HEADER])?.upgrade;
}

/** Returns the header fields without which some reverse proxies do not forward the upgrade request (RFC 6455 §4.1). */
function newHandshake(): Readonly<Record<string, string>> {
  return { 'sec-websocket-version': '13', 'sec-websocket-key': randomBytes(16).toString('base64') };
}

/** Sends an upgrade request to a URL where no WebSocket begins. @returns the response headers; undefined without a response */
function requestUpgrade(
  outbound: Pick<Outbound, 'check' | 'dispatcher'>,
  url: URL,
  headers: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>> | undefined> {
  const { promise, resolve } = Promise.withResolvers<Readonly<Record<string, string>> | undefined>();
  const limits = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS };
  const timer = setTimeout(() => resolve(undefined), TIMEOUT_MS);
  outbound.check(url);
  outbound.dispatcher.dispatch(
    { origin: url.origin, path: url.pathname, method: 'GET', upgrade: 'websocket', headers, ...limits },
    {
      // undici requires all of these handlers.
      onRequestStart: () => undefined,
      onResponseData: () => undefined,
      onResponseEnd: () => undefined,
      onResponseStart: (_controller, _status, received) => resolve(withLowerCaseNames(Object.entries(received))),
      onRequestUpgrade: (_controller, _status, received, socket) => {
        socket.destroy();
        resolve(withLowerCaseNames(Object.entries(received)));
      },
      onResponseError: () => resolve(undefined),
    },
  );
  return promise.finally(() => clearTimeout(timer));
}

function classify(response: OutboundResponse, nowMs: number): ProbeResult {
  const sighting = readSighting(response.headers[PROBE_HEADER]);
  if (sighting !== undefined) return { kind: 'this-installation', sighting, aheadMs: sighting.now - nowMs, response };
  const isService = response.headers['svc-request-id'] !== undefined;
  return { kind: isService ? 'other-installation' : 'other-server', response };
}
