import { expect } from 'chai';
import { canary } from '../../support/canaries.ts';
import { expectRefused, TOKEN, type TokenRow, tokenRow } from '../../support/deviating-tokens.ts';
import { apiOf, type Deviation, type MadeUpResponse, type SeenRequest } from '../../support/deviation.ts';

const NAME = 'registered-client';
const API = apiOf(NAME);
const RESOURCE = `${API}/mcp`;
const REGISTERED = { client_id: 'registered', client_secret: canary('secret of a registered client') };

interface Claims {
  readonly resource: string;
  readonly issuer: string;
  readonly tokenHost: string;
}

/**
 * The metadata of an honest server. svc reads the metadata of an issuer only once, so a server with other metadata must name
 * another issuer.
 */
const HONEST: Claims = { resource: RESOURCE, issuer: API, tokenHost: API };
let claims = HONEST;

function serve({ target, headers, body }: SeenRequest): MadeUpResponse {
  const { resource, issuer, tokenHost } = claims;
  if (target.startsWith('/.well-known/oauth-protected-resource')) return { body: { resource, authorization_servers: [issuer] } };
  if (target === '/register') return { status: 201, body: { ...JSON.parse(body), ...REGISTERED } };
  if (target.startsWith('/mcp')) return { status: headers['authorization'] === undefined ? 401 : 200 };
  const endpoints = { authorization_endpoint: `${API}/authorize`, token_endpoint: `${tokenHost}/token` };
  const methods = { token_endpoint_auth_methods_supported: ['client_secret_post'], code_challenge_methods_supported: ['S256'] };
  return { body: { issuer, registration_endpoint: `${API}/register`, ...endpoints, ...methods } };
}

/** MCP: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization */
const server: TokenRow = {
  name: NAME,
  members: {
    auth_mode: 'MCP_OAUTH2',
    mcp_server_url: '${connectionConfig.mcp_server_url}',
    connection_config: { mcp_server_url: { type: 'string', title: 'Server URL', format: 'uri' } },
    proxy: { base_url: '${connectionConfig.mcp_server_url}' },
  },
  app: {},
  params: { mcp_server_url: RESOURCE },
  authorizes: { client_id: REGISTERED.client_id, resource: RESOURCE, code_challenge_method: 'S256' },
  serves: serve,
  asks: [{ params: { grant_type: 'authorization_code', code: 'the-code', resource: RESOURCE, ...REGISTERED } }],
  carries: { authorization: `Bearer ${TOKEN}` },
};

const rows: readonly Deviation[] = [
  tokenRow({
    ...server,
    hostile: {
      title: 'sends no code and no token to a server that claims another’s identity or shares its endpoints',
      attack: async (scene) => {
        for (const lie of [
          { resource: 'https://honest.example/mcp', issuer: `${API}/one` },
          { issuer: `${API}/two`, tokenHost: 'https://thief.example' },
        ]) {
          claims = { ...HONEST, ...lie };
          const seen = await expectRefused(scene, server);
          claims = HONEST;
          expect(seen.filter(({ target }) => /^\/(?:token|register)/.test(target))).to.deep.equal([]);
        }
      },
    },
  }),
];

export default rows;
