import { expect } from 'chai';
import { readChallenge } from '../../../../core/auth-modes/building-blocks/server-metadata/protected-resource.ts';
import { canary } from '../../../support/canaries.ts';
import type { Behaviour } from '../../../support/scripted-server/behaviour.ts';
import { serviceError } from '../../../support/service-error.ts';
import { REDIRECT_URI } from '../building-blocks/token-endpoint/mode-input.ts';
import { McpFlow } from './mcp-input.ts';

type Place = 'mcp' | 'resource' | 'metadata' | 'register';

const REDIRECTED = { response: { status: 307, headers: { location: 'https://honest.example' } } };

/** Hostile responses, each with the endpoint that sends it. */
const HOSTILE: Readonly<Record<string, readonly [Place, Behaviour]>> = {
  'the resource of another server': ['resource', { members: { resource: 'https://honest.example/mcp' } }],
  'a resource beside it': ['resource', { members: { resource: 'http://127.0.0.1/other' } }],
  'no resource': ['resource', { members: { resource: undefined } }],
  'no authorization server': ['resource', { members: { authorization_servers: [] } }],
  'an authorization server inside': ['resource', { members: { authorization_servers: ['https://10.0.0.1'] } }],
  'an authorization server without TLS': ['resource', { members: { authorization_servers: ['http://a.example'] } }],
  'metadata behind a redirect': ['resource', REDIRECTED],
  'metadata at a metadata address': [
    'mcp',
    { response: { status: 401, headers: { 'www-authenticate': 'Bearer resource_metadata="http://169.254.169.254/x"' } } },
  ],
  'endpoints of another issuer': ['metadata', { members: { issuer: 'https://honest.example' } }],
  'a token endpoint inside': ['metadata', { members: { token_endpoint: 'https://192.168.0.1/token' } }],
  'a page that is a script': ['metadata', { members: { authorization_endpoint: 'javascript:alert(1)' } }],
  'no token endpoint': ['metadata', { members: { token_endpoint: undefined } }],
  'PKCE without S256': ['metadata', { members: { code_challenge_methods_supported: ['plain'] } }],
  'a token endpoint on another host than the page, and no `iss`': [
    'metadata',
    { members: { authorization_endpoint: 'https://honest.example/authorize' } },
  ],
  'no word of PKCE': ['metadata', { members: { code_challenge_methods_supported: undefined } }],
  'an authorization server for other resources': ['metadata', { members: { protected_resources: ['https://b.example'] } }],
  'redirect URIs of somebody else': ['register', { members: { redirect_uris: ['https://b.example/callback'] } }],
  'further redirect URIs': ['register', { members: { redirect_uris: [REDIRECT_URI, 'https://b.example/callback'] } }],
  'a client without an ID': ['register', { members: { client_id: undefined } }],
  'a client ID that is no text': ['register', { members: { client_id: 'a\r\nb' } }],
  'an unknown way to authenticate': ['register', { members: { token_endpoint_auth_method: 'tls_client_auth' } }],
  'a registration behind a redirect': ['register', REDIRECTED],
  'a registration of 1 MiB': ['register', { members: { padding: 'x'.repeat(1024 * 1024) } }],
};

describe('a hostile MCP server (OAU-14)', function () {
  const flow = new McpFlow(this);

  for (const [what, [place, behaviour]] of Object.entries(HOSTILE)) {
    it(`cannot begin a flow with ${what}`, async () => {
      flow.server.always(place, behaviour);
      expect((await serviceError(flow.begin())).code).to.equal('connection_test_failed');
      if (place !== 'register') expect(flow.registrations).to.deep.equal([]);
    });
  }

  for (const address of ['https://127.1.0.1:1', 'https://10.0.0.1/mcp', 'http://mcp.example.com'])
    it(`is not asked at ${address}`, async () => {
      const connectionConfig = { mcp_server_url: address };
      expect((await serviceError(flow.begin({ connectionConfig }))).code).to.equal('connection_test_failed');
    });

  it('is quoted only by its error code when it refuses a registration', async () => {
    const error_description = canary('echoed secret');
    const body = JSON.stringify({ error: 'invalid_redirect_uri', error_description });
    flow.server.always('register', { response: { status: 400, body } });
    const { code, message } = await serviceError(flow.begin());
    expect([code, message]).to.deep.equal([
      'connection_test_failed',
      'the authorization server registers no client (400 invalid_redirect_uri)',
    ]);
  });

  it('gets no secret of an integration whose client belongs to another server', async () => {
    const client = { clientId: 'ours', clientSecret: canary('client secret'), scopes: [] };
    expect((await serviceError(flow.begin({ client }))).code).to.equal('missing_client_id');
    expect(flow.server.ledger.entries).to.deep.equal([]);
    const integrationConfig = { issuer: 'https://honest.example' };
    expect((await serviceError(flow.begin({ client, integrationConfig }))).code).to.equal('connection_test_failed');
    expect(flow.server.ledger.of('metadata')).to.deep.equal([]);
  });

  it('may have endpoints on two hosts if it promises `iss`, or the integration names it', async () => {
    const elsewhere = { authorization_endpoint: 'https://login.example/authorize' };
    flow.server.always('metadata', { members: elsewhere });
    const integrationConfig = { issuer: flow.server.origin };
    expect((await flow.begin({ integrationConfig })).url).to.match(/^https:\/\/login\.example\//);
  });

  it('cannot slow down the parser with a long challenge', () => {
    const before = performance.now();
    for (const header of ['a'.repeat(32_000), 'a'.repeat(16_000) + ' '.repeat(16_000), `${'a="'.repeat(10_000)}`])
      expect(readChallenge(`Bearer ${header}`).metadataUrl).to.equal(undefined);
    expect(performance.now() - before).to.be.below(1_000);
  });

  it('is distinguished from a server that is unavailable', async () => {
    for (const [place, status] of [
      ['resource', 503],
      ['metadata', 429],
      ['register', 500],
    ] as const) {
      flow.server.next(place, { response: { status } });
      expect((await serviceError(flow.begin())).code, place).to.equal('provider_unavailable');
    }
    expect((await flow.begin()).url).to.include(flow.server.provider.authorizationUrl);
  });
});
