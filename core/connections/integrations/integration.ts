import type { JsonObject } from '#contract';

/** The app at the provider. Decrypted: never leaves the process but to the provider's endpoints. */
export interface ClientApp {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scopes: readonly string[];
  readonly webhookSecret?: string;
  /** The webhook secret before this one, valid until this time (ISO 8601); never returned. */
  readonly previousWebhookSecret?: PreviousSecret;
  /** The client secret and key before these, used where the provider refuses the new ones, until this time (ISO 8601). */
  readonly previousClientSecret?: PreviousSecret & { readonly privateKey?: string };
  /** Clients that connections were authorized by before, the latest first. */
  readonly formerClients?: readonly FormerClient[];
  /** Of apps that are installed (mode APP, CUSTOM): what the provider calls the app, where to install it, what it signs with. */
  readonly appId?: string;
  readonly appLink?: string;
  readonly privateKey?: string;
  /** Since when each of its secrets is what it is (ISO 8601). */
  readonly secretsSince?: Readonly<Partial<Record<AppSecret, string>>>;
}

export type AppSecret = 'clientSecret' | 'privateKey' | 'webhookSecret';

export interface PreviousSecret {
  readonly secret: string;
  readonly until: string;
}

/** An app in whose place another came. Its connections are renewed with it, and with nothing else. */
export interface FormerClient
  extends Pick<ClientApp, 'clientId' | 'clientSecret' | 'previousClientSecret' | 'appId' | 'privateKey'> {
  /** When it was replaced (ISO 8601). */
  readonly since: string;
}

/** What people see of an integration who connect to it. */
export interface ConnectScreen {
  /** Where they learn how to find what the form asks for; null: the guide of the provider's definition. */
  readonly guideUrl: string | null;
  /** In the list to choose from, the lowest first; null: by name, after those that have one. */
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
  /** All of it, `secretConfig` included. */
  readonly integrationConfig: JsonObject;
  /** The part that the definition marks `secret`; stored encrypted. */
  readonly secretConfig: JsonObject;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a list shows: nothing of the app, so nothing is decrypted. */
export type ListedIntegration = Omit<Integration, 'client' | 'integrationConfig' | 'secretConfig'>;
