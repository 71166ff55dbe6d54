import type { Clock } from '../../kit/clock.ts';
import type { KeyRing } from '../../kit/key-ring.ts';
import { createOutbound, type OutboundAnswer, type OutboundRequest } from '../../kit/outbound.ts';
import { newProbe, PROBE_HEADER, readSighting, type Sighting } from '../../kit/probe.ts';
import { askToUpgrade } from './upgrade.ts';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 64 * 1024;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

/** How a request to the service went. */
export type Visit =
  | {
      readonly kind: 'ours';
      readonly sighting: Sighting;
      /** How far the clock of the service is ahead of ours. */
      readonly aheadMs: number;
      readonly answer: OutboundAnswer;
    }
  /** It is this service, and does not know our keys. */
  | { readonly kind: 'another'; readonly answer: OutboundAnswer }
  | { readonly kind: 'stranger'; readonly answer: OutboundAnswer }
  | { readonly kind: 'silence'; readonly reason: string };

export interface Visitor {
  /** Whatever is visited, and nothing else. */
  readonly baseUrl: string;
  /** Undefined: there are none to show. */
  readonly keys: KeyRing | undefined;
  readonly clock: Clock;
}

/** Asks whether the service at an address is alive, and how the question reached it. */
export async function visit({ baseUrl, keys, clock }: Visitor, headers: OutboundRequest['headers'] = {}): Promise<Visit> {
  const base = new URL(baseUrl);
  await using outbound = createOutbound({ allow: [`${base.hostname}:${portOf(base)}`] });
  const probe = keys === undefined ? {} : { [PROBE_HEADER]: newProbe(keys) };
  const url = new URL(`${baseUrl}/health`);
  const bounds = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES };
  const before = clock.now().getTime();
  try {
    const answer = await outbound.call(url, { headers: { ...headers, ...probe }, ...bounds });
    return judge(answer, (before + clock.now().getTime()) / 2);
  } catch (error) {
    return { kind: 'silence', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** The same as a browser that wants a WebSocket. @returns whether that wish arrived; undefined when nothing did */
export async function visitAsSocket({ baseUrl, keys }: Omit<Visitor, 'clock'>): Promise<boolean | undefined> {
  const base = new URL(baseUrl);
  await using outbound = createOutbound({ allow: [`${base.hostname}:${portOf(base)}`] });
  const probe = keys === undefined ? {} : { [PROBE_HEADER]: newProbe(keys) };
  const headers = await askToUpgrade(outbound, new URL(`${baseUrl}/health`), probe);
  return headers && readSighting(headers[PROBE_HEADER])?.upgrade;
}

export function portOf({ port, protocol }: URL): string {
  return port === '' ? (DEFAULT_PORTS[protocol] ?? '') : port;
}

function judge(answer: OutboundAnswer, nowMs: number): Visit {
  const sighting = readSighting(answer.headers[PROBE_HEADER]);
  if (sighting !== undefined) return { kind: 'ours', sighting, aheadMs: sighting.now - nowMs, answer };
  const isService = answer.headers['svc-request-id'] !== undefined;
  return { kind: isService ? 'another' : 'stranger', answer };
}
