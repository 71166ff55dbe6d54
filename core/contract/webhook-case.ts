import type { JsonObject } from './context.ts';

/**
 * The default export of `webhook-case.ts` in a plugin's folder. It creates deliveries as the provider's documentation describes
 * them, without the plugin's own code; with it `test/contract` tests every plugin with a webhook part by the same deliveries.
 */
export interface WebhookCase {
  /** The integration's secret that the provider signs with; `handshake`: the secret that a handshake has brought. */
  readonly secret: 'webhookSecret' | 'clientSecret' | 'handshake';
  /** The provider, if its name is not that of the folder. */
  readonly provider?: string;
  /** Facts of the connection that the delivery is for. */
  readonly connection: { readonly connectionId?: string; readonly connectionConfig?: JsonObject; readonly metadata?: JsonObject };
  /** Headers without which a delivery is not signed. */
  readonly signatureHeaders: readonly string[];
  /** Maximum age of a delivery, and how far in the future its time may lie. Absent if the provider signs no time. */
  readonly toleranceSeconds?: number;
  /** The types of the events in the delivery. */
  readonly types: readonly (string | undefined)[];
  deliver(wanted: WantedDelivery): CaseDelivery;
}

export interface WantedDelivery {
  /** True if the delivery is for the connection above, false if it is for one that does not exist. */
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
