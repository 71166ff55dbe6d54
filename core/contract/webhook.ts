import type { Json, JsonObject } from './context.ts';
import type { ProviderDefinition } from './provider.ts';

/** The provider whose webhook rules are requested. */
export interface ProviderFacts {
  readonly slug: string;
  readonly definition: ProviderDefinition;
}

/** One delivery from a provider, as it arrived. */
export interface IncomingWebhook {
  /** The HTTP method in upper case. */
  readonly method: string;
  /** The URL as registered at the provider, with the received query. Some providers sign it. */
  readonly url: string;
  /** Lower-case names; repeated headers joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /**
   * The body, decompressed if it had a `Content-Encoding`. Signatures are verified over these bytes, never over a serialized
   * `payload`.
   */
  readonly rawBody: Uint8Array;
  /** The compressed body, if it had a `Content-Encoding`. Rules with `over: 'packed'` get it as `rawBody`. */
  readonly packedBody?: Uint8Array | undefined;
  /**
   * The parsed JSON body, which may also be `null` or a number; `{raw: "<text>"}` for other text,
   * `{raw: "<base64>", encoding: "base64"}` for binary data.
   */
  readonly payload: Json;
}

/** An event in a delivery, and the connections it concerns. A batch contains several events, an irrelevant delivery none. */
export interface WebhookEvent {
  /** The event's name, for logs and script subscriptions. */
  readonly type?: string | undefined;
  /** Keys tried in order; the first that finds a connection wins. Empty: forwarded without `connectionId`. */
  readonly connections: readonly ConnectionKey[];
  /**
   * True if the keys must not name different connections: if they do, the response is 400 and nothing is forwarded. Default: the
   * first key that finds a connection wins.
   */
  readonly mustAgree?: true;
  /** The forwarded payload. Default: the whole body of the delivery; if it is JSON, byte for byte as received. */
  readonly payload?: Json | undefined;
}

/** Identifies connections of the webhook's integration; core runs the query. */
export type ConnectionKey =
  | { readonly by: 'connectionId'; readonly value: string }
  /** With `as: 'origin'`, both values are compared as URLs: by scheme, host and port only. */
  | { readonly by: 'connectionConfig'; readonly field: string; readonly value: string; readonly as?: 'origin' }
  | { readonly by: 'metadata'; readonly field: string; readonly value: string }
  /** The field is an array that contains the value. */
  | { readonly by: 'metadataContains'; readonly field: string; readonly value: string }
  /** Every connection of the integration. A plugin must not return it just because a value is missing. */
  | { readonly by: 'broadcast' };

/**
 * The place where the secret of a rule is kept. `webhookSecret` and `clientSecret` are fields of the integration; `read` is for
 * secrets that are derived from several values. Secrets of connections are tried for the connections that the event names, and
 * the delivery then concerns only those whose secret it was signed with. For 24 hours after a change of the webhook secret the
 * previous one is valid as well, so `read` is called once with each.
 */
export type SecretSource =
  | { readonly in: 'webhookSecret' | 'clientSecret' }
  /** The secret that a handshake with `keep_secret` has brought to the address that was registered for a connection. */
  | { readonly in: 'handshake' }
  | { readonly in: 'integration'; readonly read: (integration: IntegrationSecrets) => string | undefined }
  | {
      readonly in: 'connection';
      readonly read: (connection: { readonly connectionConfig: JsonObject; readonly metadata: JsonObject }) => string | undefined;
    };

/** The secrets and settings of the integration that a delivery is for. */
export interface IntegrationSecrets {
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  readonly webhookSecret: string | undefined;
  readonly config: JsonObject;
}

/**
 * What happens to a delivery when there is no secret to verify it with. `refuse`: the response is 401. `accept`: it is accepted
 * and marked `verified: false`.
 */
export type WithoutSecret = 'refuse' | 'accept';

/** A rule for an HMAC of the body, which core compares in constant time. */
export interface HmacRule {
  readonly scheme: 'hmac';
  readonly algorithm: 'sha256' | 'sha512' | 'sha1';
  readonly header: string;
  /** `hex` in lower case, `base64` with padding: other forms are rejected unless `signatures` normalizes them. */
  readonly encoding: 'hex' | 'base64';
  /** Text before the digest in the header, e.g. `sha256=`. */
  readonly prefix?: string;
  /** Which bytes of a body with a `Content-Encoding` are signed: decompressed (the default), or as received. */
  readonly over?: 'body' | 'packed';
  readonly secret: SecretSource;
  readonly withoutSecret: WithoutSecret;
  /** Returns the HMAC key, if it is not the secret's UTF-8 bytes, e.g. from the base64 after `whsec_`. */
  key?(secret: string): Uint8Array;
  /** Returns the digests in a header that may contain several. Default: the header without its prefix. */
  signatures?(header: string): readonly string[];
  /** Returns the signed bytes, if they are not the raw body, e.g. `${timestamp}.${body}`. */
  signedBytes?(webhook: IncomingWebhook): Uint8Array | string;
  /**
   * How the time of a delivery is read, and by how many seconds it may differ from the current time; otherwise the delivery is
   * rejected.
   */
  readonly timestamp?: { readonly toleranceSeconds: number; readonly read: (webhook: IncomingWebhook) => Date | undefined };
}

/** A rule for a shared secret that the header itself contains. Core compares it in constant time. */
export interface TokenRule {
  readonly scheme: 'token';
  readonly header: string;
  readonly secret: SecretSource;
  readonly withoutSecret: WithoutSecret;
}

/** A rule for a signed JWT. */
export type JwtRule = PublicKeyJwtRule | SharedSecretJwtRule;

/**
 * A rule for JWTs that are signed with the provider's own key, e.g. by a cloud provider's push service. Core fetches and caches
 * the public keys. Only asymmetric algorithms are accepted; the token must expire, within a day at most.
 */
export interface PublicKeyJwtRule {
  readonly scheme: 'jwt';
  readonly read: (webhook: IncomingWebhook) => string | undefined;
  readonly jwksUrl: string;
  readonly issuer: string;
  /** `webhookUrl`: the address of the webhook, with or without its query. */
  readonly audience: 'webhookUrl' | { readonly value: string };
}

/**
 * A rule for JWTs that are signed with a secret that both sides know; if there is no secret, the response is 401. A token whose
 * header names another algorithm is refused. The token must expire, within a day at most.
 */
export interface SharedSecretJwtRule {
  readonly scheme: 'jwt';
  readonly algorithm: 'HS256';
  readonly read: (webhook: IncomingWebhook) => string | undefined;
  readonly secret: SecretSource;
}

/** A rule for schemes that core does not know. Must have no side effects. */
export interface CustomRule {
  readonly scheme: 'custom';
  readonly secret: SecretSource;
  readonly withoutSecret: WithoutSecret;
  /** Which bytes of a compressed body are signed, as in an HMAC rule. */
  readonly over?: 'body' | 'packed';
  isValid(webhook: IncomingWebhook, secret: string): boolean;
}

/** A rule that accepts deliveries without verification and marks them `verified: false`. The reason is logged with each. */
export interface UnverifiedRule {
  readonly scheme: 'unverified';
  readonly reason: string;
}

/** A rule that applies to deliveries for which `when` returns true; without `when`, to all that reach it. */
export type SignatureRule = (HmacRule | TokenRule | JwtRule | CustomRule | UnverifiedRule) & {
  /**
   * Returns whether the rule applies. It may depend on the settings of the integration, e.g. only when there is a webhook
   * secret.
   */
  when?(webhook: IncomingWebhook, integration: IntegrationSecrets): boolean;
};

/**
 * Rules by which a provider's webhooks are verified and parsed. The functions must be fast, have no side effects, and should not
 * throw on unexpected payloads: if a signature rule throws, the response is 400 `webhook_invalid_payload`; errors of other
 * functions are logged, and a verified delivery is then forwarded unchanged, without a connection.
 */
export interface WebhookRules {
  /**
   * Rules, tried in order; the first whose `when` returns true decides. If none applies, the response is 401, so that a forgotten
   * case never accepts a delivery.
   */
  readonly signature: readonly [SignatureRule, ...SignatureRule[]];
  /**
   * Responds to a provider's handshake, by GET or POST, that no handshake of the definition has answered; if it returns a value,
   * the request is not treated as a delivery. Runs before verification, so it must not trust its input. Not called for bodies
   * above 1 MiB.
   */
  handshake?(webhook: IncomingWebhook): WebhookReply | undefined;
  /**
   * The field of a form body (`application/x-www-form-urlencoded`) that holds the payload as JSON: events are read from this
   * JSON, and it is forwarded as if it had been the body. Bodies of other types, and forms without JSON in this field, stay
   * unchanged.
   */
  readonly payloadField?: string;
  /** Returns the events of the delivery. Called before verification if the secret is stored on a connection. */
  events(webhook: IncomingWebhook): readonly WebhookEvent[];
  /**
   * Says for people which values of a delivery name its connections, one clause for each key, in the order of the keys: "portalId
   * is hub_id of the connection configuration". Nothing depends on it. Default: the dashboard says that the plugin decides.
   */
  readonly matchedBy?: readonly string[];
  /**
   * Returns the provider's ID of the delivery, which is the same when the provider repeats it: duplicates within 24 hours are
   * acknowledged and not processed. Must be covered by the signature if the provider signs it. Default: query, signature and body
   * are compared, for 24 hours if the rule has a `timestamp`, else for ten minutes.
   */
  deliveryId?(webhook: IncomingWebhook): string | undefined;
  /** Headers forwarded to the application in addition to those named in `signature`, e.g. the event's name. */
  readonly forwardHeaders?: readonly string[];
  /** Returns the response, which is sent after everything is stored. Default: 200 `{"status":"success"}`. */
  reply?(webhook: IncomingWebhook): WebhookReply;
}

/** The response to the provider. `content-type` defaults to `application/json`. */
export interface WebhookReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}
