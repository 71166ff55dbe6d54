import type { JsonObject } from '#contract';

/** The app at the provider. Decrypted: never leaves the process but to the provider's endpoints. */
export interface ClientApp {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scopes: readonly string[];
  readonly webhookSecret?: string;
}

/** A configured external API of one environment. */
export interface Integration {
  readonly id: number;
  readonly environmentId: number;
  readonly uniqueKey: string;
  readonly provider: string;
  readonly displayName: string;
  readonly forwardWebhooks: boolean;
  readonly client: ClientApp;
  readonly integrationConfig: JsonObject;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a list shows: nothing of the app, so nothing is decrypted. */
export type ListedIntegration = Omit<Integration, 'client' | 'integrationConfig'>;
