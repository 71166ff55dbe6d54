import type { components } from './generated.ts';
import { verifyWebhook, type WebhookHeaders } from './verify-webhook.ts';

/** A webhook that reports a change in the authorization of a connection (`docs/webhooks.md`). */
export interface AuthWebhook {
  readonly type: 'auth';
  readonly from: 'svc';
  readonly operation: 'creation' | 'override' | 'refresh' | 'deletion';
  readonly success: boolean;
  /** Absent if the connection could not be created. */
  readonly connectionId?: string;
  /** The unique key of the integration. */
  readonly providerConfigKey: string;
  readonly provider: string;
  readonly authMode: string;
  /** The name of the environment. */
  readonly environment: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Present only if the deprecated `end_user` was used. */
  readonly endUser?: {
    readonly endUserId: string;
    readonly endUserEmail?: string;
    readonly organizationId?: string;
    readonly tags: Readonly<Record<string, string>>;
  };
  /** Present only if `success` is false. */
  readonly error?: { readonly type: components['schemas']['Error']['error']['code']; readonly description: string };
  /** Present only if the `operation` is `override` and the new credentials cannot be refreshed. */
  readonly warning?: { readonly type: 'no_refresh_token'; readonly description: string };
}

/**
 * A provider's webhook, forwarded by the service. The header `Svc-Webhook-Verified` says whether the provider's own signature was
 * verified.
 */
export interface ForwardWebhook {
  readonly type: 'forward';
  /** The slug of the provider. */
  readonly from: string;
  readonly providerConfigKey: string;
  /** Absent if no connection matched. */
  readonly connectionId?: string;
  /** The payload as the provider sent it. */
  readonly payload: unknown;
}

export type Webhook = AuthWebhook | ForwardWebhook;

/** The error for a request that is not a webhook of the service, or that is too old: respond with 401. */
export class InvalidWebhookError extends Error {
  override readonly name = 'InvalidWebhookError';
}

/**
 * Verifies a webhook as `verifyWebhook` does, and returns its content.
 *
 * @param rawBody the raw bytes, since parsing and serializing would change them
 * @param secret the webhook secret of the environment, `whsec_…`
 * @throws InvalidWebhookError if it is not a webhook of the service, or is too old
 */
export function parseWebhook(rawBody: string | Uint8Array, headers: WebhookHeaders, secret: string): Webhook {
  if (!verifyWebhook(rawBody, headers, secret))
    throw new InvalidWebhookError('the signature of this webhook is missing, wrong, or older than five minutes');
  // The service signed this webhook, so it has the documented type.
  return JSON.parse(typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody));
}
