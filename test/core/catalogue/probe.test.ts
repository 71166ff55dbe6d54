import { expect } from 'chai';
import { hasAnswered, probeDefinition } from '../../../core/catalogue/probe/probe-definition.ts';
import { providerDefinition } from '../../../core/catalogue/provider-definition.ts';
import { createOutbound } from '../../../core/kit/outbound.ts';
import { serve } from '../../support/loopback-server.ts';
import { TestNet } from '../../support/test-net.ts';
import { useEach } from '../../support/use.ts';

type Members = Readonly<Record<string, unknown>>;
type Response = readonly [status: number, body?: string, type?: string];

const JSON_TYPE = 'application/json';
const PAGE: Response = [200, '<p>Log in</p>', 'text/html; charset=utf-8'];
const DEFINITION = {
  display_name: 'Probed',
  docs: 'https://docs.example.com',
  auth_mode: 'OAUTH2',
  authorization_url: 'https://auth.example/authorize',
  token_url: 'https://auth.example/token',
  proxy: { base_url: 'https://api.example/v1', verification: { endpoints: ['/me'] } },
};
const HONEST: Readonly<Record<string, Response>> = {
  'GET /authorize': PAGE,
  'POST /token': [401, '{"error":"invalid_client"}', JSON_TYPE],
  'GET /v1/me': [401, '{}', JSON_TYPE],
  'GET /v1': [404, '', 'text/plain'],
};
const REGION = { type: 'string', title: 'Region', description: 'Of the account.', example: 'eu', pattern: 'eu|us' };
const SHOP = { ...DEFINITION.proxy, base_url: 'https://${connectionConfig.region}.example' };

const ONLY_API = {
  auth_mode: 'API_KEY',
  authorization_url: undefined,
  token_url: undefined,
  proxy: { base_url: DEFINITION.proxy.base_url },
};
const MCP = { ...ONLY_API, auth_mode: 'MCP_OAUTH2', mcp_server_url: DEFINITION.proxy.base_url };
const PROTECTED: Readonly<Record<string, Response>> = {
  'POST /v1': [401],
  'GET /.well-known/oauth-protected-resource/v1': [
    200,
    '{"resource":"https://api.example/v1","authorization_servers":["https://auth.example"]}',
    JSON_TYPE,
  ],
  'GET /.well-known/oauth-authorization-server': [
    200,
    JSON.stringify({
      issuer: 'https://auth.example',
      authorization_endpoint: DEFINITION.authorization_url,
      token_endpoint: DEFINITION.token_url,
    }),
    JSON_TYPE,
  ],
};

/** Properties of the definition, and responses that replace those of the honest provider. */
interface Changed {
  readonly members?: Members;
  readonly responses?: Record<string, Response>;
  /**
   * Set if the provider does not reach level 2 of `proof` (its endpoints respond as the definition states) although nothing
   * fails.
   */
  readonly provesNothing?: true;
}

const CASES: readonly [what: string, changed: Changed, ends: Members][] = [
  ['an honest provider', {}, {}],
  ['a provider that sends on to its log-in', { responses: { 'GET /authorize': [302] } }, {}],
  ['an authorization page that is gone', { responses: { 'GET /authorize': [404] } }, { authorization_url: 'failed' }],
  ['an authorization server that fails', { responses: { 'GET /authorize': [502] } }, { authorization_url: 'failed' }],
  [
    'errors of the token endpoint with status 200',
    { responses: { 'POST /token': [200, '{"error":"bad_code"}', JSON_TYPE] } },
    {},
  ],
  ['a token endpoint that is a page', { responses: { 'POST /token': PAGE } }, { token_url: 'failed' }],
  ['a token endpoint that takes no POST', { responses: { 'POST /token': [405] } }, { token_url: 'failed' }],
  ['a token endpoint that wants a key', { members: { token_request_auth_method: 'private_key_jwt' } }, { token_url: 'skipped' }],
  ['a verification that forbids', { responses: { 'GET /v1/me': [403] } }, {}],
  ['a verification that moved', { responses: { 'GET /v1/me': [410] } }, { 'proxy.verification': 'failed' }],
  [
    'a verification that accepts anybody',
    { responses: { 'GET /v1/me': [200, '{}', JSON_TYPE] } },
    { 'proxy.verification': 'failed' },
  ],
  [
    'an API in a region that the user enters',
    { members: { connection_config: { region: REGION }, proxy: SHOP } },
    { 'proxy.verification': 'skipped', 'proxy.base_url': 'skipped' },
  ],
  ['an API whose name nobody has', { members: { proxy: { base_url: 'https://gone.example' } } }, { 'proxy.base_url': 'failed' }],
  [
    'an issuer that publishes another endpoint',
    {
      members: { issuer: 'https://auth.example' },
      responses: {
        'GET /.well-known/oauth-authorization-server': [
          200,
          '{"issuer":"https://auth.example","token_endpoint":"https://auth.example/v2/token"}',
          JSON_TYPE,
        ],
      },
    },
    { issuer: 'failed' },
  ],
  ['nothing but the address of an API', { members: ONLY_API, provesNothing: true }, {}],
  ['an API that fails', { responses: { 'GET /v1': [503] } }, { 'proxy.base_url': 'failed' }],
  ['an honest MCP server', { members: MCP, responses: PROTECTED }, {}],
  ['an MCP server that is a web site', { members: MCP, responses: { 'POST /v1': PAGE } }, { mcp_server_url: 'failed' }],
  [
    'an MCP server whose authorization server is not there',
    { members: MCP, responses: { ...PROTECTED, 'GET /.well-known/oauth-authorization-server': [404] } },
    { mcp_server_url: 'failed' },
  ],
  [
    'an MCP server whose authorization server has no endpoints',
    {
      members: MCP,
      responses: {
        ...PROTECTED,
        'GET /.well-known/oauth-authorization-server': [200, '{"issuer":"https://auth.example"}', JSON_TYPE],
      },
    },
    { mcp_server_url: 'failed' },
  ],
  ['an issuer that publishes nothing', { members: { issuer: 'https://auth.example' } }, { issuer: 'skipped' }],
];

describe('the probe of a definition', function () {
  let responses: Readonly<Record<string, Response>>;
  let seen: string[];
  const net = new TestNet();
  const server = useEach(this, () =>
    serve((request, response) => {
      request.resume();
      const { pathname } = new URL(request.url ?? '', 'http://probed');
      const [status, body = '', type = 'text/plain'] = responses[`${request.method} ${pathname}`] ?? [404];
      seen.push(`${request.method} ${pathname} ${request.headers.authorization ?? ''}`);
      response.writeHead(status, { 'content-type': type, ...(status === 302 && { location: 'https://else.example' }) }).end(body);
    }),
  );

  for (const [what, { members, responses: changed, provesNothing = false }, ends] of CASES)
    it(`of ${what} has the exceptions ${JSON.stringify(ends)}`, async () => {
      for (const name of ['auth.example', 'api.example']) net.add(name, server.url);
      responses = { ...HONEST, ...changed };
      seen = [];
      await using outbound = createOutbound({ allow: [], resolve: net.resolve, dial: net.dial });
      const definition = providerDefinition.parse({ ...DEFINITION, ...members });
      const probed = await probeDefinition({ outbound, now: () => new Date() }, { slug: 'probed', definition });
      const unlike = probed.filter(({ outcome }) => outcome !== 'passed').map(({ member, outcome }) => [member, outcome]);
      expect(Object.fromEntries(unlike), JSON.stringify(probed)).to.deep.equal(ends);
      expect(hasAnswered(probed)).to.equal(!provesNothing && !Object.values(ends).includes('failed'));
      expect(
        seen.every((line) => line.endsWith(' ')),
        'no credentials are sent',
      ).to.equal(true);
      expect(net.dials.map(({ host }) => host)).not.to.include('else.example');
    });
});
