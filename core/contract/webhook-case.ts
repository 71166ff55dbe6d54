import type { JsonObject } from './context.ts';

/**
 * What `webhook-case.ts` in a plugin's folder exports as `default`: a delivery as the provider's documentation says, made without
 * the plugin's own code. `test/contract` puts every plugin with a webhook part through the same deliveries by it.
 */
export interface WebhookCase {
  /** The integration's secret that the provider signs with; or one that a handshake has brought. */
  readonly secret: 'webhookSecret' | 'clientSecret' | 'handshake';
  /** The provider, where it is not of the folder's name. */
  readonly provider?: string;
  /** Of the connection that the delivery is for. */
  readonly connection: { readonly connectionId?: string; readonly connectionConfig?: JsonObject; readonly metadata?: JsonObject };
  /** Headers without which a delivery is not signed. */
  readonly signatureHeaders: readonly string[];
  /** How old or how new a delivery may be. None: the provider signs no time. */
  readonly toleranceSeconds?: number;
  /** The types of the events in it. */
  readonly types: readonly (string | undefined)[];
  deliver(wanted: WantedDelivery): CaseDelivery;
}

export interface WantedDelivery {
  /** Whether it is for the connection above, or for one that does not exist. */
  readonly isKnown: boolean;
  readonly secret: string;
  /** The webhook's address, without a query. */
  readonly url: string;
  readonly sentAt: Date;
  /** Identifies deliveries: two with the same number are one delivery and its retry. */
  readonly number: number;
}

export interface CaseDelivery {
  /** In small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly query?: Readonly<Record<string, string>>;
}
