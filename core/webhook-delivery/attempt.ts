import { createHmac } from 'node:crypto';
import { withLowerCaseNames } from '../kit/header-names.ts';
import { killPoint } from '../kit/kill-point.ts';
import { OutboundError } from '../kit/outbound.ts';
import { inSpan } from '../kit/tracing.ts';
import type { SigningSecrets } from '../tenants/environments/webhook-secret.ts';
import { readContent } from './content.ts';
import type { WebhookDeliveryDeps } from './deps.ts';
import type { DueMessage } from './message-store.ts';
import { readRetryAfter } from './schedule.ts';

const PREFIX = 'whsec_';

/** Time limit until the head of the response has arrived, whose status decides the outcome. */
const TIMEOUT_MS = 20_000;
/** The body is read up to these limits, so that the connection can be used again. */
const BODY = { maxBytes: 64 * 1024, dropBodyAfterMs: 1_000 };

/** A claimed webhook with what is needed to send it. */
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
  /** `refused`: any status but 2xx; `no_response`: no head of a response; `fault`: an error of the service, not the receiver. */
  readonly result: 'delivered' | 'refused' | 'no_response' | 'fault';
  readonly status: number | null;
  /** Why there was no response. */
  readonly error: string | null;
  readonly durationMs: number;
  /** The wait that `Retry-After` requests. */
  readonly retryAfterMs?: number | undefined;
}

/** Sends a webhook once. Redirects are not followed: their target is not registered for webhooks of the service. */
export function attempt(deps: WebhookDeliveryDeps, claimed: MessageAttempt, signal: AbortSignal): Promise<AttemptOutcome> {
  const { type, traceContext: parent } = claimed.message;
  const attributes = { 'svc.webhook.type': type };
  return inSpan(deps.tracer, { name: 'webhook attempt', kind: 'internal', attributes, parent }, async (span) => {
    const start = performance.now();
    const result = await post(deps, claimed, signal);
    if (result.result !== 'delivered') span.fail(result.error ?? String(result.status));
    return { ...result, durationMs: Math.round(performance.now() - start) };
  });
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
      carriesTrace: true,
      ...BODY,
    });
    killPoint('webhook-after-send');
    const result = status >= 200 && status < 300 ? ('delivered' as const) : ('refused' as const);
    return { result, status, error: null, retryAfterMs: readRetryAfter(received['retry-after'], now) };
  } catch (error) {
    if (error instanceof OutboundError) return { result: 'no_response' as const, status: null, error: error.code };
    deps.log.error('a webhook could not be sent', { messageId: message.messageId, error });
    return { result: 'fault' as const, status: null, error: 'internal' };
  }
}

/**
 * Returns the client that sends a webhook. A webhook to an inbox does not leave this process: the sandbox receives it, with the
 * ID of the environment.
 */
function doorFor({ outbound, baseUrl }: WebhookDeliveryDeps, { url, environmentId }: MessageAttempt) {
  return url.startsWith(`${baseUrl}/sandbox/inbox/`) ? outbound.inside(`${environmentId}/`) : outbound;
}

interface SignedAttempt {
  /** The ID of the webhook, the same in every attempt. */
  readonly id: string;
  /** The time of this attempt. */
  readonly at: Date;
  readonly body: string;
}

/**
 * Returns the signature headers: those of Standard Webhooks (github.com/standard-webhooks, spec § "Signature scheme"), whose key
 * is the decoded base64 after `whsec_`, and the older `X-Svc-Hmac-Sha256`, whose key is the whole text.
 *
 * While a secret is being rotated, the former has one signature for each secret, newest first. The latter can have only one,
 * which is made with the older secret, since a receiver switches when it is ready.
 *
 * @param prefix of the additional header `X-<prefix>-Hmac-Sha256` that receivers made for another product's webhooks expect
 */
export function signatureHeaders(
  { id, at, body }: SignedAttempt,
  secrets: SigningSecrets,
  prefix?: string,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const keys = [secrets.current, ...(secrets.old === null ? [] : [secrets.old.secret])];
  const signatures = keys.map((secret) => `v1,${hmac(keyOf(secret), `${id}.${timestamp}.`, body).digest('base64')}`);
  const bodyHmac = hmac(secrets.old?.secret ?? secrets.current, body).digest('hex');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
    'x-svc-hmac-sha256': bodyHmac,
    ...(prefix !== undefined && { [`x-${prefix.toLowerCase()}-hmac-sha256`]: bodyHmac }),
  };
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}

/** @param parts of one text, hashed one after the other; concatenating them would copy the body */
function hmac(key: Buffer | string, ...parts: readonly string[]) {
  const digest = createHmac('sha256', key);
  for (const part of parts) digest.update(part, 'utf8');
  return digest;
}
