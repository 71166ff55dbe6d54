import type { Configuration, CustomFetchOptions } from 'openid-client';
import * as z from 'zod';
import type { Config } from '../../config/schema.ts';
import type { OutboundPool } from '../../kit/outbound.ts';
import { newSecret } from '../../kit/random-id.ts';

/** Loaded when it is first used, which most installations never do. */
const library = () => import('openid-client');

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The name on the button of the sign-in page. */
  readonly name: string;
  /** In lower case; empty means any domain. */
  readonly allowedDomains: readonly string[];
  /** The entry of the claim `groups` that makes somebody an admin. */
  readonly adminGroup: string | undefined;
}

interface OidcOptions {
  readonly settings: OidcSettings;
  readonly outbound: OutboundPool;
  /** The redirect URI as it is registered at the identity provider. */
  readonly redirectUri: string;
}

type OidcConfig = Pick<
  Config,
  | 'SVC_BASE_URL'
  | 'SVC_OIDC_ISSUER'
  | 'SVC_OIDC_CLIENT_ID'
  | 'SVC_OIDC_CLIENT_SECRET'
  | 'SVC_OIDC_NAME'
  | 'SVC_OIDC_ALLOWED_DOMAINS'
  | 'SVC_OIDC_ADMIN_GROUP'
>;

/** Creates the client from the settings; undefined when they name no identity provider. */
export function openOidc(config: OidcConfig, outbound: OutboundPool): Oidc | undefined {
  const { SVC_OIDC_ISSUER: issuer, SVC_OIDC_CLIENT_ID: clientId, SVC_OIDC_CLIENT_SECRET: clientSecret } = config;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  const settings = {
    issuer,
    clientId,
    clientSecret,
    name: config.SVC_OIDC_NAME,
    allowedDomains: config.SVC_OIDC_ALLOWED_DOMAINS,
    adminGroup: config.SVC_OIDC_ADMIN_GROUP,
  };
  return new Oidc({ settings, outbound, redirectUri: `${config.SVC_BASE_URL}/api/ui/oidc/callback` });
}

/** The state of a sign-in that the browser keeps while it is at the identity provider. */
export const pendingSignIn = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The path of this service to which the browser returns after the sign-in. */
  returnTo: z.string(),
  begunAt: z.coerce.date(),
  /** True if the person must sign in at the provider again even if they are signed in there. */
  isAnew: z.boolean(),
});
export type PendingSignIn = z.output<typeof pendingSignIn>;

const claims = z.looseObject({
  sub: z.string().min(1).max(255),
  email: z.string().max(254).optional(),
  email_verified: z.boolean().optional(),
  name: z.string().max(255).optional(),
  groups: z.array(z.string()).optional(),
});
/** The identity of a person, as the identity provider reports it (OpenID Connect Core 1.0 §5.1). */
export type OidcPerson = z.output<typeof claims>;

/** The result of a sign-in at the identity provider. */
interface OidcReturn {
  readonly person: OidcPerson;
  /** True if the provider says that the person has signed in there since this sign-in began, not at some earlier time. */
  readonly isFresh: boolean;
}

const SCOPE = 'openid email profile';
/** Tolerance for a provider whose clock differs from the service's. */
const CLOCK_SKEW_MS = 60_000;

/** Sign-in by OpenID Connect: the code flow with PKCE, state and nonce (OpenID Connect Core 1.0 §3.1). */
export class Oidc {
  readonly settings: OidcSettings;
  readonly #options: OidcOptions;
  #configuration: Promise<Configuration> | undefined;

  constructor(options: OidcOptions) {
    this.settings = options.settings;
    this.#options = options;
  }

  async begin(
    about: Pick<PendingSignIn, 'returnTo' | 'begunAt' | 'isAnew'>,
  ): Promise<{ readonly url: URL; readonly pending: PendingSignIn }> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
    const pending = { ...about, state: newSecret(), nonce: newSecret(), verifier: newSecret() };
    const url = buildAuthorizationUrl(await this.#discovered(), {
      redirect_uri: this.#options.redirectUri,
      scope: SCOPE,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
      // Providers must report auth_time only when max_age was requested (OpenID Connect Core 1.0 §3.1.2.1).
      ...(about.isAnew && { prompt: 'login', max_age: '0' }),
    });
    return { url, pending };
  }

  /**
   * @param query the query of the address to which the browser returned
   * @throws when any part of the provider's response is invalid
   */
  async finish({ state, nonce, verifier, begunAt }: PendingSignIn, query: string): Promise<OidcReturn> {
    const { authorizationCodeGrant, fetchUserInfo } = await library();
    const configuration = await this.#discovered();
    const returned = new URL(this.#options.redirectUri);
    returned.search = query;
    const tokens = await authorizationCodeGrant(configuration, returned, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const told = tokens.claims();
    if (told === undefined) throw new Error('the identity provider sent no ID token');
    const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const more = hasMore ? await fetchUserInfo(configuration, tokens.access_token, told.sub) : {};
    const person = claims.parse({ ...told, ...more, ...emailOf(told, more) });
    const isFresh = told.auth_time !== undefined && told.auth_time * 1_000 + CLOCK_SKEW_MS >= begunAt.getTime();
    return { person, isFresh };
  }

  /** Returns the provider's metadata. It is requested once, and again only after a failure. */
  #discovered(): Promise<Configuration> {
    this.#configuration ??= this.#discover().catch((error: unknown) => {
      this.#configuration = undefined;
      throw error;
    });
    return this.#configuration;
  }

  async #discover(): Promise<Configuration> {
    const openid = await library();
    const { settings, outbound } = this.#options;
    const issuer = new URL(settings.issuer);
    return openid.discovery(issuer, settings.clientId, settings.clientSecret, undefined, {
      [openid.customFetch]: (url, options) => fetchBy(outbound, url, options),
      // ID tokens arrive over TLS, but TLS may end at a proxy before this service, so their signatures are checked, too. Whether
      // plain http is allowed is decided by the guard of outgoing calls.
      execute: [openid.enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : [])],
    });
  }
}

type Claims = Readonly<Record<string, unknown>>;

/**
 * Returns an e-mail and whether it is verified, both from one source, because `email_verified` refers to the e-mail in the same
 * source (Core 1.0 §5.1).
 */
function emailOf(idToken: Claims, userInfo: Claims): Claims {
  const sources = [idToken, userInfo].filter(({ email }) => email !== undefined);
  const { email, email_verified } = sources.find((source) => source['email_verified'] !== undefined) ?? sources[0] ?? {};
  return { email, email_verified };
}

async function fetchBy(
  outbound: OutboundPool,
  url: string,
  { method, headers, body, signal }: CustomFetchOptions,
): Promise<Response> {
  const sent = body instanceof URLSearchParams ? body.toString() : typeof body === 'string' ? body : undefined;
  const response = await outbound.call(url, {
    method,
    headers: { ...headers },
    ...(sent !== undefined && { body: sent }),
    ...(signal && { signal }),
  });
  const content = response.body.length === 0 ? null : new Uint8Array(response.body);
  return new Response(content, { status: response.status, headers: response.headers });
}
