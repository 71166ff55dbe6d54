import type { JsonObject } from '#contract';

// What is stored of each mode, encrypted, as JSON: dates are ISO 8601 strings. `type` says which mode wrote it.

interface Stored {
  /** When the credentials came; with `expiresAt` this gives a token's lifetime. */
  readonly receivedAt: string;
}

/** Tokens, or what takes their place. */
interface Expiring extends Stored {
  readonly expiresAt?: string;
  /** What the last answer that named a lifetime said, for answers that name none. */
  readonly statedLifetimeMs?: number;
}

/** An app of the connection's own, in place of the integration's. */
export interface ConfigOverride {
  readonly clientId?: string;
  readonly clientSecret?: string;
}

export interface StoredOAuth1 extends Stored {
  readonly type: 'OAUTH1';
  readonly oauthToken: string;
  readonly oauthTokenSecret: string;
  readonly raw: JsonObject;
}

export interface StoredOAuth2 extends Expiring {
  readonly type: 'OAUTH2';
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** The provider's answer, untouched. */
  readonly raw: JsonObject;
  readonly configOverride?: ConfigOverride;
}

export interface StoredOAuth2Cc extends Expiring {
  readonly type: 'OAUTH2_CC';
  readonly clientId: string;
  readonly clientSecret: string;
  /** Empty until the first one was fetched. */
  readonly token: string;
  readonly raw: JsonObject;
}

export interface StoredBasic extends Stored {
  readonly type: 'BASIC';
  readonly username: string;
  readonly password: string;
}

export interface StoredApiKey extends Stored {
  readonly type: 'API_KEY';
  readonly apiKey: string;
}

export interface StoredNone extends Stored {
  readonly type: 'NONE';
}

export interface StoredTba extends Stored {
  readonly type: 'TBA';
  readonly tokenId: string;
  readonly tokenSecret: string;
  readonly configOverride: ConfigOverride;
}

export interface StoredApp extends Expiring {
  readonly type: 'APP';
  readonly appId: string;
  readonly installationId: string;
  /** Of the installation; empty until the first one was fetched. */
  readonly accessToken: string;
  readonly raw: JsonObject;
}

export interface StoredAppStore extends Expiring {
  readonly type: 'APP_STORE';
  readonly accessToken: string;
  readonly privateKey: string;
  readonly raw: JsonObject;
}

export interface StoredJwt extends Expiring {
  readonly type: 'JWT';
  readonly privateKey: string | { readonly id: string; readonly secret: string };
  readonly privateKeyId?: string;
  readonly issuerId?: string;
  readonly token?: string;
}

export interface StoredCustom extends Stored {
  readonly type: 'CUSTOM';
  readonly raw: JsonObject;
}

export interface StoredBill extends Expiring {
  readonly type: 'BILL';
  readonly devKey: string;
  readonly organizationId: string;
  readonly username: string;
  readonly password: string;
  readonly sessionId?: string;
  readonly userId?: string;
  readonly raw: JsonObject;
}

export interface StoredTwoStep extends Expiring {
  readonly type: 'TWO_STEP';
  readonly token?: string;
  readonly raw: JsonObject;
}

export interface StoredSignature extends Expiring {
  readonly type: 'SIGNATURE';
  readonly username: string;
  readonly password: string;
  readonly token?: string;
}

/** One member for each mode. */
export type StoredCredentials =
  | StoredOAuth1
  | StoredOAuth2
  | StoredOAuth2Cc
  | StoredBasic
  | StoredApiKey
  | StoredNone
  | StoredTba
  | StoredApp
  | StoredAppStore
  | StoredJwt
  | StoredCustom
  | StoredBill
  | StoredTwoStep
  | StoredSignature;

/** The stored form that a mode writes. */
export type StoredBy<Type extends StoredCredentials['type']> = Extract<StoredCredentials, { readonly type: Type }>;
