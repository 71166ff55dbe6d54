import { withLowerCaseNames } from '../kit/header-names.ts';
import { killPoint } from '../kit/kill-point.ts';
import { OutboundError } from '../kit/outbound.ts';
import type { SigningSecrets } from '../tenants/environments/webhook-secret.ts';
import { readContent } from './content.ts';
import type { WebhookDeliveryDeps } from './deps.ts';
import type { DueMessage } from './message-store.ts';
import { readRetryAfter } from './schedule.ts';
import { signatureHeaders } from './sign.ts';

/** Until the head of the response has come: its status decides. */
const TIMEOUT_MS = 20_000;
/** Read for no longer, so that the connection can be used again. */
const BODY = { maxBytes: 64 * 1024, dropBodyAfterMs: 1_000 };

/** A claimed message. */
export interface MessageAttempt {
  readonly targetId: number;
  readonly environmentId: number;
  readonly url: string;
  /** The value of `Authorization`, for a URL with user name and password. */
  readonly basic?: string | undefined;
  readonly secrets: SigningSecrets;
  readonly message: DueMessage;
}

export interface AttemptOutcome {
  /** `refused`: any status but 2xx; `no_response`: no head of a response; `fault`: ours, not the receiver's. */
  readonly result: 'delivered' | 'refused' | 'no_response' | 'fault';
  readonly status: number | null;
  /** Why there was no response. */
  readonly error: string | null;
  readonly durationMs: number;
  /** From `Retry-After`. */
  readonly retryAfterMs?: number | undefined;
}

/** Sends a message once. Redirects are not followed: their target did not register for our messages. */
export async function attempt(deps: WebhookDeliveryDeps, claimed: MessageAttempt, signal: AbortSignal): Promise<AttemptOutcome> {
  const start = performance.now();
  const result = await post(deps, claimed, signal);
  return { ...result, durationMs: Math.round(performance.now() - start) };
}

async function post(deps: WebhookDeliveryDeps, claimed: MessageAttempt, signal: AbortSignal) {
  const { url, basic, secrets, message } = claimed;
  const now = deps.clock.now();
  try {
    const { body, headers: further } = readContent(deps.keys, message);
    const signed = signatureHeaders({ id: message.messageId, at: now, body }, secrets, deps.clientPrefix);
    const headers = {
      ...withLowerCaseNames(Object.entries(further)),
      'content-type': 'application/json',
      'user-agent': 'svc',
      ...(basic !== undefined && { authorization: basic }),
      ...signed,
    };
    const timeoutMs = deps.attemptTimeoutMs ?? TIMEOUT_MS;
    const { status, headers: received } = await doorFor(deps, claimed).call(url, {
      method: 'POST',
      headers,
      body,
      signal,
      timeoutMs,
      ...BODY,
    });
    killPoint('webhook-after-send');
    const result = status >= 200 && status < 300 ? ('delivered' as const) : ('refused' as const);
    return { result, status, error: null, retryAfterMs: readRetryAfter(received['retry-after'], now) };
  } catch (error) {
    if (error instanceof OutboundError) return { result: 'no_response' as const, status: null, error: error.code };
    deps.log.error('a webhook message could not be sent', { messageId: message.messageId, error });
    return { result: 'fault' as const, status: null, error: 'internal' };
  }
}

/** The inbox is the sandbox's, which knows for whom it takes what. */
function doorFor({ outbound, baseUrl }: WebhookDeliveryDeps, { url, environmentId }: MessageAttempt) {
  return url.startsWith(`${baseUrl}/sandbox/inbox/`) ? outbound.inside(`${environmentId}/`) : outbound;
}
