import type { components } from './generated.ts';
import { verifyWebhook, type WebhookHeaders } from './verify-webhook.ts';

/** Something happened to the authorization of a connection (`docs/webhooks.md`). */
export interface AuthWebhook {
  readonly type: 'auth';
  readonly from: 'svc';
  readonly operation: 'creation' | 'override' | 'refresh' | 'deletion';
  readonly success: boolean;
  /** Absent when there is none: a creation failed. */
  readonly connectionId?: string;
  /** The integration. */
  readonly providerConfigKey: string;
  readonly provider: string;
  readonly authMode: string;
  /** Its name. */
  readonly environment: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Only where the deprecated `end_user` was used. */
  readonly endUser?: {
    readonly endUserId: string;
    readonly endUserEmail?: string;
    readonly organizationId?: string;
    readonly tags: Readonly<Record<string, string>>;
  };
  /** Only where `success` is false. */
  readonly error?: { readonly type: components['schemas']['Error']['error']['code']; readonly description: string };
  /** Only of an `override` that is not all it could be. */
  readonly warning?: { readonly type: 'no_refresh_token'; readonly description: string };
}

/** A provider's webhook, passed on. The header `Svc-Webhook-Verified` says whether the provider's own signature was verified. */
export interface ForwardWebhook {
  readonly type: 'forward';
  /** The provider. */
  readonly from: string;
  readonly providerConfigKey: string;
  /** Absent when no connection was matched. */
  readonly connectionId?: string;
  /** As the provider sent it. */
  readonly payload: unknown;
}

export type Webhook = AuthWebhook | ForwardWebhook;

/** What was received is not a webhook of the service, or not a fresh one: answer 401. */
export class InvalidWebhookError extends Error {
  override readonly name = 'InvalidWebhookError';
}

/**
 * Verifies a webhook as `verifyWebhook` does, and reads it.
 *
 * @param rawBody the bytes as they came: parsed and written anew they are others
 * @param secret of the environment, `whsec_…`
 * @throws InvalidWebhookError
 */
export function parseWebhook(rawBody: string | Uint8Array, headers: WebhookHeaders, secret: string): Webhook {
  if (!verifyWebhook(rawBody, headers, secret))
    throw new InvalidWebhookError('the signature of this webhook is missing, wrong, or older than five minutes');
  // What the service has signed is what the types say.
  return JSON.parse(typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody));
}
