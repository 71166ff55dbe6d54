import { randomUUID } from 'node:crypto';
import { InvalidGrantError, InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { OAuthServerProvider } from '@modelcontextprotocol/sdk/server/auth/provider.js';
import type { OAuthClientInformationFull, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { rememberSecret } from '../canaries.ts';

interface Grant {
  readonly clientId: string;
  readonly resource: string | undefined;
  readonly scopes: readonly string[];
  readonly challenge: string;
}

/**
 * The parts of an authorization server that the MCP SDK does not have: codes, tokens, and consent, which is granted without
 * asking.
 */
export class InstantAuthorization implements OAuthServerProvider {
  readonly clients = new Map<string, OAuthClientInformationFull>();
  /** Access tokens that are valid now. */
  readonly accessTokens = new Map<string, Grant>();
  readonly refreshTokens = new Map<string, Grant>();
  /** The resource that each request to the token endpoint named; undefined if it named none. */
  readonly resources: (string | undefined)[] = [];
  readonly #codes = new Map<string, Grant>();

  readonly clientsStore = {
    getClient: (id: string) => this.clients.get(id),
    registerClient: (given: object): OAuthClientInformationFull => {
      const client = { client_id: randomUUID(), ...given } as OAuthClientInformationFull;
      if (client.client_secret !== undefined) rememberSecret('MCP client secret', client.client_secret);
      this.clients.set(client.client_id, client);
      return client;
    },
  };

  authorize: OAuthServerProvider['authorize'] = async (client, params, response) => {
    const code = rememberSecret('MCP code', randomUUID());
    const { resource, scopes = [], codeChallenge: challenge } = params;
    this.#codes.set(code, { clientId: client.client_id, resource: resource?.href, scopes, challenge });
    const back = new URL(params.redirectUri);
    back.searchParams.set('code', code);
    if (params.state !== undefined) back.searchParams.set('state', params.state);
    response.redirect(back.href);
  };

  challengeForAuthorizationCode: OAuthServerProvider['challengeForAuthorizationCode'] = async (_client, code) =>
    this.#codes.get(code)?.challenge ?? '';

  exchangeAuthorizationCode: OAuthServerProvider['exchangeAuthorizationCode'] = async (client, code, ...rest) =>
    this.#tokens(this.#codes, code, { clientId: client.client_id, resource: rest[2]?.href });

  exchangeRefreshToken: OAuthServerProvider['exchangeRefreshToken'] = async (client, token, _scopes, resource) =>
    this.#tokens(this.refreshTokens, token, { clientId: client.client_id, resource: resource?.href });

  verifyAccessToken: OAuthServerProvider['verifyAccessToken'] = async (token) => {
    const grant = this.accessTokens.get(token);
    if (grant === undefined) throw new InvalidTokenError('unknown');
    const resource = grant.resource === undefined ? {} : { resource: new URL(grant.resource) };
    return { token, clientId: grant.clientId, scopes: [...grant.scopes], expiresAt: Date.now() / 1000 + 3600, ...resource };
  };

  revokeToken: NonNullable<OAuthServerProvider['revokeToken']> = async (_client, { token }) => {
    this.refreshTokens.delete(token);
    this.accessTokens.clear();
  };

  /** Exchanges a code or a refresh token for tokens. It works only once, and only for the client and resource of its grant. */
  #tokens(from: Map<string, Grant>, key: string, asked: Pick<Grant, 'clientId' | 'resource'>): OAuthTokens {
    const grant = from.get(key);
    this.resources.push(asked.resource);
    if (grant === undefined || grant.clientId !== asked.clientId || grant.resource !== asked.resource)
      throw new InvalidGrantError('not yours');
    from.delete(key);
    const access_token = rememberSecret('MCP access token', randomUUID());
    const refresh_token = rememberSecret('MCP refresh token', randomUUID());
    this.accessTokens.set(access_token, grant);
    this.refreshTokens.set(refresh_token, grant);
    return { access_token, refresh_token, token_type: 'bearer', expires_in: 3600, scope: grant.scopes.join(' ') };
  }
}
