import { expect } from 'chai';
import { connectionsOf } from '../../support/authorization.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  connect,
  hostOfUser,
  TOKEN,
  type TokenRow,
  templateInCode,
  tokenRow,
} from '../../support/deviating-tokens.ts';
import type { Deviation } from '../../support/deviation.ts';

const BEARER = { authorization: `Bearer ${TOKEN}` };
const STANDARD = { grant_type: 'authorization_code', code: 'the-code', client_id: CLIENT_ID, client_secret: CLIENT_SECRET };

function codeGrant(name: string, more: object = {}): Readonly<Record<string, unknown>> {
  const api = `https://${name}.example`;
  return { auth_mode: 'OAUTH2', authorization_url: `${api}/authorize`, token_url: `${api}/token`, ...more };
}

function carrying(name: string, headers: object) {
  return { proxy: { base_url: `https://${name}.example`, headers } };
}

/** TikTok for Business: https://business-api.tiktok.com/portal/docs?id=1738373164380162 */
const renamed: TokenRow = {
  name: 'renamed-parameters',
  members: codeGrant('renamed-parameters', {
    authorization_param_names: { client_id: 'app_id' },
    token_param_names: { client_id: 'app_id', client_secret: 'secret', code: 'auth_code' },
    omit_params: { authorization: ['response_type', 'scope'], token: ['grant_type', 'redirect_uri'] },
    callback_code_param: 'auth_code',
    body_format: 'json',
    disable_pkce: true,
    token_response: { token: 'data.access_token' },
    ...carrying('renamed-parameters', { 'Access-Token': '${accessToken}' }),
  }),
  callback: { auth_code: 'the-code' },
  authorizes: { app_id: CLIENT_ID, client_id: null, response_type: null, scope: null },
  responds: () => ({ body: { code: 0, data: { access_token: TOKEN } } }),
  asks: [{ params: { app_id: CLIENT_ID, secret: CLIENT_SECRET, auth_code: 'the-code' } }],
  carries: { 'access-token': TOKEN },
};

/** Amazon's Selling Partner API: https://developer-docs.amazon.com/sp-api/docs/website-authorization-workflow */
const otherCode: TokenRow = {
  name: 'code-under-another-name',
  members: codeGrant('code-under-another-name', { callback_code_param: 'spapi_oauth_code' }),
  callback: { spapi_oauth_code: 'the-code' },
  asks: [{ params: STANDARD }],
  carries: BEARER,
};

/** Zoho: https://www.zoho.com/accounts/protocol/oauth/multi-dc.html */
const region: TokenRow = {
  name: 'region-by-callback',
  members: codeGrant('region-by-callback', {
    token_url: '${maps.location.accounts}/token',
    redirect_uri_metadata: ['location'],
    connection_config: { location: { type: 'string', title: 'Data center', enum: ['eu', 'us'], automated: true } },
    maps: { location: { eu: { accounts: 'https://region-by-callback.example' }, us: { accounts: 'https://us.example' } } },
    ...carrying('region-by-callback', { authorization: 'Zoho-oauthtoken ${accessToken}' }),
  }),
  callback: { code: 'the-code', location: 'eu' },
  asks: [{ params: STANDARD }],
  carries: { authorization: `Zoho-oauthtoken ${TOKEN}` },
};

const rows: readonly Deviation[] = [
  tokenRow({ ...renamed, hostile: templateInCode(renamed, 'auth_code') }),
  tokenRow({
    ...otherCode,
    hostile: {
      title: 'accepts no code under the standard name',
      attack: async (scene) => {
        const { status } = await connect(scene, { ...otherCode, callback: { code: 'injected' } });
        expect(status).to.equal(400);
        expect(scene.seen.filter(({ body }) => body.includes('injected'))).to.deep.equal([]);
      },
    },
  }),
  tokenRow({
    ...region,
    hostile: {
      title: 'sends nothing to an unknown region',
      attack: async (scene) => {
        const before = [scene.seen.length, (await connectionsOf(scene.app)).length];
        for (const location of ['thief.example', 'https://thief.example', '__proto__', '']) {
          const { status } = await connect(scene, { ...region, callback: { code: 'the-code', location } });
          expect(status, location).to.equal(400);
        }
        expect([scene.seen.length, (await connectionsOf(scene.app)).length]).to.deep.equal(before);
      },
    },
  }),
  // Etsy: https://developers.etsy.com/documentation/essentials/authentication
  tokenRow({
    name: 'client-id-in-a-header',
    members: codeGrant('client-id-in-a-header', {
      omit_params: { token: ['client_secret'] },
      ...carrying('client-id-in-a-header', { 'x-api-key': '${clientId}' }),
    }),
    asks: [{ params: { grant_type: 'authorization_code', code: 'the-code', client_id: CLIENT_ID } }],
    carries: { ...BEARER, 'x-api-key': CLIENT_ID },
  }),
  // The server's metadata supplies the endpoints that the definition omits (RFC 8414).
  tokenRow({
    name: 'endpoints-by-metadata',
    members: { auth_mode: 'OAUTH2', issuer: 'https://endpoints-by-metadata.example' },
    serves: ({ target }) => {
      const issuer = 'https://endpoints-by-metadata.example';
      const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` };
      return target.startsWith('/.well-known/') ? { body: { issuer, response_types_supported: ['code'], ...endpoints } } : {};
    },
    // The server's metadata names no method of authentication, so Basic applies, the default of RFC 8414 §2.
    asks: [{ params: { grant_type: 'authorization_code', code: 'the-code' } }],
    carries: BEARER,
  }),
  tokenRow({
    name: 'token-by-get',
    members: codeGrant('token-by-get', { token_request_method: 'GET' }),
    asks: [{ method: 'GET', path: '/token', params: STANDARD, body: '' }],
    carries: BEARER,
  }),
  // Linear: https://linear.app/developers/oauth-2-0-authentication
  tokenRow({
    name: 'scopes-with-commas',
    members: codeGrant('scopes-with-commas', {
      scope_separator: ',',
      default_scopes: ['read', { name: 'write', sensitive: true }],
    }),
    authorizes: { scope: 'read,write' },
    carries: BEARER,
  }),
  // Slack: https://docs.slack.dev/authentication/installing-with-oauth
  tokenRow({
    name: 'scopes-of-the-user',
    members: codeGrant('scopes-of-the-user', {
      user_scopes: ['search:read', 'users:read'],
      scope_separator: ',',
      alternate_access_token_response_path: 'authed_user.access_token',
    }),
    authorizes: { scope: null, user_scope: 'search:read,users:read' },
    responds: () => ({ body: { ok: true, authed_user: { id: 'U1', access_token: TOKEN, token_type: 'user' } } }),
    carries: BEARER,
  }),
  // Notion: https://developers.notion.com/guides/get-started/authorization
  tokenRow({
    name: 'json-exchange-with-basic',
    members: codeGrant('json-exchange-with-basic', {
      token_request_auth_method: 'basic',
      body_format: 'json',
      token_headers: { 'x-version': '2022-06-28' },
    }),
    app: { credentials: { client_id: 'the client', client_secret: 'a:b c' } },
    asks: [
      {
        // Client ID and secret are form-encoded first (RFC 6749 §2.3.1).
        headers: {
          authorization: `Basic ${Buffer.from('the+client:a%3Ab+c').toString('base64')}`,
          'content-type': 'application/json',
          'x-version': '2022-06-28',
        },
        params: { grant_type: 'authorization_code', code: 'the-code' },
      },
    ],
    carries: BEARER,
  }),
  // Auth0, and others that issue each token for one of several APIs: https://auth0.com/docs/api/authentication
  tokenRow({
    name: 'parameters-by-setting',
    members: codeGrant('parameters-by-setting', {
      integration_config: {
        audience: { type: 'string', title: 'Audience', optional: true },
        resource: { type: 'string', title: 'Resource', optional: true },
      },
      token_params: {
        audience: { omit_if_empty: '${integrationConfig.audience}' },
        resource: { omit_if_empty: '${integrationConfig.resource}' },
      },
    }),
    app: {
      credentials: { client_id: CLIENT_ID, client_secret: CLIENT_SECRET },
      integration_config: { audience: '${clientSecret}' },
    },
    asks: [{ params: { ...STANDARD, audience: '${clientSecret}' } }],
    carries: BEARER,
    hostile: hostOfUser('token_url', 'https://${connectionConfig.site}/token'),
  }),
];

export default rows;
