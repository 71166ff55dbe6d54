import { createHash, randomBytes } from 'node:crypto';
import type { ProviderDefinition } from '#contract';
import { writeXml, type XmlMembers } from '../../kit/write-xml.ts';
import { exampleOf } from './api-responses.ts';
import { placedMembers, standardParams } from './dialect.ts';
import { placeValue } from './placed-values.ts';
import { jsonResponse, type ProviderRequest, type StubResponse } from './provider.ts';

const LIFETIME_SECONDS = 3600;

interface Code {
  readonly redirectUri: string;
  readonly challenge: string | undefined;
}

interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
}

type Params = Readonly<Record<string, string>>;

/** An authorization server that is as strict as the provider's, according to the definition. */
export class TokenEndpoint {
  /** The reasons why requests were refused, in words for the definition's author. */
  readonly complaints: string[] = [];
  /** All secrets that were issued: codes, tokens and cookies. */
  readonly secrets: string[] = [];
  /** The grant types that were used. */
  readonly grants = new Set<string>();
  readonly #definition: ProviderDefinition;
  readonly #client: Client;
  readonly #codes = new Map<string, Code>();
  readonly #refreshTokens = new Set<string>();

  constructor(definition: ProviderDefinition, client: Client) {
    this.#definition = definition;
    this.#client = client;
  }

  /** Answers the authorization page as if the user allowed access immediately (RFC 6749 §4.1.1). */
  authorize({ url }: ProviderRequest): StubResponse {
    const { authorization_param_names: names, omit_params, callback_code_param: codeName = 'code' } = this.#definition;
    const params = standardParams(Object.fromEntries(url.searchParams), names, omit_params?.authorization);
    if (params === undefined) return this.#refuse('the authorization URL has parameters that the definition renames or omits');
    const { redirect_uri: redirectUri, state, code_challenge: challenge } = params;
    if (redirectUri === undefined) return this.#refuse('the authorization URL has no redirect_uri');
    if (state === undefined) return this.#refuse('the authorization URL has no state');
    if (this.#needsPkce() && challenge === undefined) return this.#refuse('the authorization URL has no code_challenge');
    const code = this.#issue('code');
    this.#codes.set(code, { redirectUri, challenge });
    const back = new URL(redirectUri);
    back.searchParams.set(codeName, code);
    back.searchParams.set('state', state);
    return { status: 302, headers: { location: back.href } };
  }

  /**
   * Answers a token request (RFC 6749 §4.1.3, §4.4, §6). Other grants, and a sign-in that only this provider has, get a token
   * unchecked.
   */
  token(request: ProviderRequest): StubResponse {
    const { token_param_names: names, omit_params } = this.#definition;
    const given = { ...Object.fromEntries(request.url.searchParams), ...readParams(request) };
    const params = standardParams(given, names, omit_params?.token);
    if (params === undefined) return this.#refuse('the token request has parameters that the definition renames or omits');
    const grant = grantOf(params);
    this.grants.add(grant);
    if (grant === 'authorization_code') return this.#redeem(request, params);
    if (grant === 'refresh_token') return this.#refresh(request, params);
    return this.#issueTokens(false);
  }

  /** Answers a request of OAuth 1 (RFC 5849 §2.1, §2.3) with a request token, or with an access token. */
  pair(): StubResponse {
    const members = {
      oauth_token: this.#issue('token'),
      oauth_token_secret: this.#issue('secret'),
      oauth_callback_confirmed: 'true',
      ...Object.fromEntries(this.#kept()),
    };
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return { status: 200, headers, body: new URLSearchParams(members).toString() };
  }

  #redeem(request: ProviderRequest, params: Params): StubResponse {
    const code = this.#codes.get(params['code'] ?? '');
    this.#codes.delete(params['code'] ?? '');
    if (code === undefined) return this.#refuse('the code is not the one that was issued', 'invalid_grant');
    if (!this.#omits('redirect_uri') && params['redirect_uri'] !== code.redirectUri)
      return this.#refuse('the redirect_uri differs from that of the authorization', 'invalid_grant');
    if (this.#needsPkce() && challengeOf(params['code_verifier']) !== code.challenge)
      return this.#refuse('the code_verifier does not match the code_challenge', 'invalid_grant');
    return this.#isClient(request, params)
      ? this.#issueTokens(true)
      : this.#refuse('the app did not authenticate', 'invalid_client');
  }

  #refresh(request: ProviderRequest, params: Params): StubResponse {
    if (!this.#refreshTokens.delete(params['refresh_token'] ?? ''))
      return this.#refuse('the refresh token is not the one that was issued', 'invalid_grant');
    return this.#isClient(request, params)
      ? this.#issueTokens(true)
      : this.#refuse('the app did not authenticate', 'invalid_client');
  }

  /** Checks the client authentication (RFC 6749 §2.3.1). An assertion or a certificate is not checked. */
  #isClient({ headers }: ProviderRequest, params: Params): boolean {
    const { clientId, clientSecret } = this.#client;
    if (this.#definition.token_request_auth_method === 'basic') {
      const pair = [clientId, clientSecret].map(encodeURIComponent).join(':');
      return headers['authorization'] === `Basic ${Buffer.from(pair).toString('base64')}`;
    }
    if ((this.#definition.token_request_auth_method ?? 'body') !== 'body') return true;
    const isIdRight = this.#omits('client_id') || params['client_id'] === clientId;
    return isIdRight && (this.#omits('client_secret') || params['client_secret'] === clientSecret);
  }

  #issueTokens(isRefreshable: boolean): StubResponse {
    const { token_response: paths, expires_in_unit: unit, body_format: format } = this.#definition;
    const isDate = paths !== undefined && paths.token_expiration_strategy !== 'expireIn';
    const lifetime = LIFETIME_SECONDS * (unit === 'milliseconds' ? 1000 : 1);
    const members: Record<string, unknown> = {
      access_token: this.#issue('token'),
      token_type: 'Bearer',
      expires_in: isDate ? new Date(Date.now() + LIFETIME_SECONDS * 1000).toISOString() : lifetime,
    };
    if (isRefreshable) {
      const refreshToken = this.#issue('refresh');
      this.#refreshTokens.add(refreshToken);
      members['refresh_token'] = refreshToken;
    }
    const body: Record<string, unknown> = { ...placedMembers(members, this.#definition) };
    for (const [path, value] of this.#kept()) placeValue(body, path, value);
    const cookies = paths?.cookies?.map((name) => `${name}=${this.#issue('cookie')}; Path=/; HttpOnly`) ?? [];
    if (paths !== undefined && format === 'xml')
      return { status: 200, headers: { 'content-type': 'text/xml' }, body: writeXml(rootOf(body)) };
    const response = jsonResponse(200, body);
    return cookies.length === 0 ? response : { ...response, headers: { ...response.headers, 'set-cookie': cookies } };
  }

  /** Returns the fields of a token response that the definition stores with the connection, with example values. */
  #kept(): [string, string][] {
    const { token_response_metadata: paths = [], connection_config: fields = {} } = this.#definition;
    return paths.map((path) => [path, exampleOf(path, fields[path])]);
  }

  #needsPkce(): boolean {
    const { disable_pkce, callback } = this.#definition;
    return disable_pkce !== true && callback?.grant !== 'client_credentials';
  }

  #omits(name: string): boolean {
    return this.#definition.omit_params?.token?.some((omitted) => omitted === name) === true;
  }

  #issue(kind: string): string {
    const secret = `rehearsal-${kind}-${randomBytes(12).toString('hex')}`;
    this.secrets.push(secret);
    return secret;
  }

  #refuse(complaint: string, error = 'invalid_request'): StubResponse {
    this.complaints.push(complaint);
    return jsonResponse(400, { error });
  }
}

/** Returns the fields without those of a JSON token response: in XML they would stand beside the root element. */
function rootOf({ access_token: _, refresh_token: __, token_type: ___, expires_in: ____, ...members }: Record<string, unknown>) {
  return members as XmlMembers;
}

function grantOf(params: Params): string {
  if (params['grant_type'] !== undefined) return params['grant_type'];
  if (params['code'] !== undefined) return 'authorization_code';
  return params['refresh_token'] === undefined ? 'sign-in' : 'refresh_token';
}

/** Returns the code challenge for a verifier (RFC 7636 §4.6, method S256). */
function challengeOf(verifier = ''): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

function readParams({ headers, body }: ProviderRequest): Params {
  if (headers['content-type']?.startsWith('application/json') !== true) return Object.fromEntries(new URLSearchParams(body));
  try {
    return Object.fromEntries(Object.entries(JSON.parse(body)).map(([name, value]) => [name, String(value)]));
  } catch {
    return {};
  }
}
