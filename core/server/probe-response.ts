import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../kit/clock.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import { isProbe, PROBE_HEADER, writeSighting } from '../kit/probe.ts';

/**
 * The dependencies for recognizing the operator, whose probes are made with the keys of the service, and for describing a
 * request.
 */
interface Operator {
  readonly keys: KeyRing;
  readonly clock: Clock;
  readonly clientAddress: (request: IncomingMessage) => string;
}

/**
 * Adds to the response to a probe of the operator how the probe arrived: from which addresses, with which headers. Others do not
 * see this, since it reveals the network's structure.
 */
export function addSighting(deps: Operator, request: IncomingMessage, response: ServerResponse): void {
  const { [PROBE_HEADER]: probe, upgrade, ...headers } = request.headers;
  if (typeof probe !== 'string' || !isProbe(deps.keys, probe)) return;
  const sighting = {
    peer: request.socket.remoteAddress ?? '',
    client: deps.clientAddress(request),
    forwardedFor: [headers['x-forwarded-for'] ?? []].flat().join(', ') || null,
    upgrade: upgrade !== undefined,
    now: deps.clock.now().getTime(),
  };
  response.setHeader(PROBE_HEADER, writeSighting(sighting));
}
