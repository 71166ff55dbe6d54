import type { JsonObject } from '#contract';

/** The app at the provider, decrypted: it is sent to the provider's endpoints only. */
export interface ClientApp {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scopes: readonly string[];
  readonly webhookSecret?: string;
  /** The webhook secret before this one, valid until this time (ISO 8601); never returned. */
  readonly previousWebhookSecret?: PreviousSecret;
  /** The previous client secret and key, used until this time (ISO 8601) where the provider refuses the new ones. */
  readonly previousClientSecret?: PreviousSecret & { readonly privateKey?: string };
  /** The clients by which connections were authorized before, the latest first. */
  readonly formerClients?: readonly FormerClient[];
  /**
   * Only for apps that are installed (mode APP, CUSTOM): the provider's name for the app, where to install it, and the key it signs
   * with.
   */
  readonly appId?: string;
  readonly appLink?: string;
  readonly privateKey?: string;
  /** Since when each of the app's secrets has its present value (ISO 8601). */
  readonly secretsSince?: Readonly<Partial<Record<AppSecret, string>>>;
}

export type AppSecret = 'clientSecret' | 'privateKey' | 'webhookSecret';

interface PreviousSecret {
  readonly secret: string;
  readonly until: string;
}

/** An app that was replaced by another one. Its connections are refreshed with it, and with nothing else. */
export interface FormerClient
  extends Pick<ClientApp, 'clientId' | 'clientSecret' | 'previousClientSecret' | 'appId' | 'privateKey'> {
  /** When it was replaced (ISO 8601). */
  readonly since: string;
}

/** The settings that decide how an integration looks to the end users who connect to it. */
export interface ConnectScreen {
  /** The guide to finding the values that the form asks for; null: the guide of the provider's definition. */
  readonly guideUrl: string | null;
  /**
   * Position in the list of integrations to choose from, the lowest first; null: ordered by name, after those that have a position.
   */
  readonly position: number | null;
}

/** A configured external API of one environment. */
export interface Integration {
  readonly id: number;
  readonly environmentId: number;
  readonly uniqueKey: string;
  readonly provider: string;
  readonly displayName: string;
  readonly forwardWebhooks: boolean;
  readonly connectScreen: ConnectScreen;
  /** The integration's own app. `effectiveClient` decides whether it is used. */
  readonly client: ClientApp;
  /** The whole configuration, `secretConfig` included. */
  readonly integrationConfig: JsonObject;
  /** The part of the configuration that the provider's definition marks `secret`; stored encrypted. */
  readonly secretConfig: JsonObject;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The members that a list shows: nothing of the app, so nothing is decrypted. */
export type ListedIntegration = Omit<Integration, 'client' | 'integrationConfig' | 'secretConfig'>;
