import type { SigningSecrets } from '../environments/webhook-secret.ts';
import type { Clock } from '../kit/clock.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import { killPoint } from '../kit/kill-point.ts';
import type { Logger } from '../kit/logger.ts';
import { type Outbound, OutboundError } from '../kit/outbound.ts';
import { readContent } from './content.ts';
import type { DueMessage } from './message-store.ts';
import { readRetryAfter } from './schedule.ts';
import { signatureHeaders } from './sign.ts';

const TIMEOUT_MS = 20_000;
/** Of the answer, which nobody reads: no more than to keep the connection in good order. */
const MAX_ANSWER_BYTES = 64 * 1024;

export interface AttemptDeps {
  readonly outbound: Pick<Outbound, 'call'>;
  readonly keys: KeyRing;
  readonly clock: Clock;
  readonly log: Logger;
  readonly clientPrefix?: string | undefined;
  /** For the whole attempt. Default 20,000. */
  readonly attemptTimeoutMs?: number | undefined;
}

/** A message on its way. */
export interface Sending {
  readonly targetId: number;
  readonly url: string;
  readonly secrets: SigningSecrets;
  readonly message: DueMessage;
}

export interface Outcome {
  /** `refused`: answered with anything but 2xx; `unanswered`: there was no whole answer; `fault`: ours, not the receiver's. */
  readonly result: 'delivered' | 'refused' | 'unanswered' | 'fault';
  readonly status: number | null;
  /** Why there was no answer. */
  readonly error: string | null;
  readonly durationMs: number;
  /** What the receiver asks for. */
  readonly retryAfterMs?: number | undefined;
}

/** Sends a message once. Redirects are answers like any other: whoever is named there has not asked for our messages. */
export async function attempt(deps: AttemptDeps, sending: Sending, signal: AbortSignal): Promise<Outcome> {
  const start = performance.now();
  const result = await post(deps, sending, signal);
  return { ...result, durationMs: Math.round(performance.now() - start) };
}

async function post(deps: AttemptDeps, { url, secrets, message }: Sending, signal: AbortSignal) {
  const now = deps.clock.now();
  try {
    const { body, headers: further } = readContent(deps.keys, message);
    const signed = signatureHeaders({ id: message.messageId, at: now, body }, secrets, deps.clientPrefix);
    const headers = { ...lowerCased(further), 'content-type': 'application/json', 'user-agent': 'svc', ...signed };
    const timeoutMs = deps.attemptTimeoutMs ?? TIMEOUT_MS;
    const bounds = { timeoutMs, maxBytes: MAX_ANSWER_BYTES, beyond: 'cut' } as const;
    const { status, headers: answered } = await deps.outbound.call(url, { method: 'POST', headers, body, signal, ...bounds });
    killPoint('webhook-after-send');
    const result = status >= 200 && status < 300 ? ('delivered' as const) : ('refused' as const);
    return { result, status, error: null, retryAfterMs: readRetryAfter(answered['retry-after'], now) };
  } catch (error) {
    if (error instanceof OutboundError) return { result: 'unanswered' as const, status: null, error: error.code };
    deps.log.error('a webhook message could not be sent', { messageId: message.messageId, error });
    return { result: 'fault' as const, status: null, error: 'internal' };
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
