import type { JsonObject } from '#contract';

/** An integration's app at the provider, decrypted. Its secrets are sent to the provider's endpoints only. */
export interface ClientApp {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scopes: readonly string[];
  readonly webhookSecret?: string;
  /** The previous webhook secret, valid until its time `until` (ISO 8601); the API never returns it. */
  readonly previousWebhookSecret?: PreviousSecret;
  /** The previous client secret and private key, used until the time `until` (ISO 8601) if the provider refuses the new ones. */
  readonly previousClientSecret?: PreviousSecret & { readonly privateKey?: string };
  /** The apps that this one has replaced, the latest first: connections may have been authorized by them. */
  readonly formerClients?: readonly FormerClient[];
  /**
   * Only for apps that users install (modes `APP` and `CUSTOM`), as is `appLink`: the provider's name for the app, and where to
   * install it.
   */
  readonly appId?: string;
  readonly appLink?: string;
  /** The private key with which the app signs its requests to the provider. */
  readonly privateKey?: string;
  /** When each of the app's secrets got its present value (ISO 8601). */
  readonly secretsSince?: Readonly<Partial<Record<AppSecret, string>>>;
}

export type AppSecret = 'clientSecret' | 'privateKey' | 'webhookSecret';

interface PreviousSecret {
  readonly secret: string;
  readonly until: string;
}

/** An app that was replaced by another one. Connections that it authorized can be refreshed only with it. */
export interface FormerClient
  extends Pick<ClientApp, 'clientId' | 'clientSecret' | 'previousClientSecret' | 'appId' | 'privateKey'> {
  /** When the app was replaced (ISO 8601). */
  readonly since: string;
}

/** The settings that decide how an integration looks to the end users who connect to it. */
export interface ConnectScreen {
  /** The URL of the guide to finding the values that the form asks for; null: the guide of the provider's definition. */
  readonly guideUrl: string | null;
  /**
   * Position in the list of integrations to choose from, the lowest first; null: ordered by name, after those that have a
   * position.
   */
  readonly position: number | null;
}

/** A provider configured in an environment. */
export interface Integration {
  readonly id: number;
  readonly environmentId: number;
  readonly uniqueKey: string;
  readonly provider: string;
  readonly displayName: string;
  readonly forwardWebhooks: boolean;
  readonly connectScreen: ConnectScreen;
  /** The integration's own app. `effectiveClient` decides whether it or the shared app is used. */
  readonly client: ClientApp;
  /** The whole configuration, `secretConfig` included. */
  readonly integrationConfig: JsonObject;
  /** The part of the configuration that the provider's definition marks `secret`; stored encrypted. */
  readonly secretConfig: JsonObject;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The fields that a list shows. The app is not one of them, so nothing has to be decrypted. */
export type ListedIntegration = Omit<Integration, 'client' | 'integrationConfig' | 'secretConfig'>;
