import type { JsonObject } from './context.ts';

/**
 * The default export of `webhook-case.ts` in a plugin's folder. It creates deliveries as the provider's documentation describes
 * them, without the plugin's code, so that `test/contract` can run the same tests for every plugin that handles webhooks.
 */
export interface WebhookCase {
  /**
   * The integration's secret with which the provider signs, or `handshake` if it signs with the secret that a handshake has
   * brought.
   */
  readonly secret: 'webhookSecret' | 'clientSecret' | 'handshake';
  /** The provider, if its name is not that of the folder. */
  readonly provider?: string;
  /** The facts that the plugin may know of the connection that the delivery is for. */
  readonly connection: { readonly connectionId?: string; readonly connectionConfig?: JsonObject; readonly metadata?: JsonObject };
  /** Names of the headers that carry the signature: without them a delivery counts as unsigned. */
  readonly signatureHeaders: readonly string[];
  /**
   * By how many seconds the time of a delivery may differ from the current time, before or after it. Absent if the provider signs
   * no time.
   */
  readonly toleranceSeconds?: number;
  /** The types of the events in the delivery. */
  readonly types: readonly (string | undefined)[];
  deliver(wanted: WantedDelivery): CaseDelivery;
}

export interface WantedDelivery {
  /** True if the delivery is for `WebhookCase.connection`, false if it is for a connection that does not exist. */
  readonly isKnown: boolean;
  readonly secret: string;
  /** The webhook's address, without a query. */
  readonly url: string;
  readonly sentAt: Date;
  /** Identifies deliveries: two with the same number are one delivery and its retry. */
  readonly number: number;
}

export interface CaseDelivery {
  /** Headers, with their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly query?: Readonly<Record<string, string>>;
}
