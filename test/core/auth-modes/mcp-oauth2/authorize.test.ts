import { expect } from 'chai';
import { canary } from '../../../support/canaries.ts';
import { jsonResponse } from '../../../support/fake-provider/echo.ts';
import { REDIRECT_URI, tokenFailure } from '../building-blocks/token-endpoint/mode-input.ts';
import { DOCUMENT_URL, McpFlow } from './mcp-input.ts';

const HOUR = 3600;

describe('an authorization at an MCP server', function () {
  const flow = new McpFlow(this);
  const parametersOf = (url: string) => Object.fromEntries(new URL(url).searchParams);

  it('asks for the resource, with PKCE, as a client that it has just registered', async () => {
    const { url } = await flow.begin();
    const { client_id, code_challenge, ...others } = parametersOf(url);
    expect([...flow.server.provider.clients.keys()]).to.include(client_id);
    expect(code_challenge).to.match(/^[\w-]{43}$/);
    expect(others).to.deep.equal({
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      state: 'state-1',
      resource: flow.server.endpoint,
      code_challenge_method: 'S256',
    });
    expect(flow.registrations).to.deep.equal([
      {
        client_name: 'svc.example',
        application_type: 'web',
        redirect_uris: [REDIRECT_URI],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ]);
  });

  it('shares a client between flows of one integration, but not between integrations', async () => {
    const clients = [await flow.begin(), await flow.begin(), await flow.begin({}, 'https://svc.internal/2')].map(
      ({ url }) => parametersOf(url)['client_id'],
    );
    expect(clients[1]).to.equal(clients[0]);
    expect(clients[2]).not.to.equal(clients[0]);
  });

  it('uses another client once the server has forgotten the first', async () => {
    const begun = await flow.begin();
    flow.server.provider.next('token', { response: jsonResponse(401, { error: 'invalid_client' }) });
    expect(await tokenFailure(flow.complete(begun))).to.include({ kind: 'refused' });
    expect(parametersOf((await flow.begin()).url)['client_id']).not.to.equal(parametersOf(begun.url)['client_id']);
  });

  it('uses a client without a secret if the secret of the first one would expire', async () => {
    flow.server.always('register', { members: { client_secret_expires_at: Math.floor(Date.now() / 1000) + HOUR } });
    await flow.begin();
    expect(flow.registrations.map((asked) => asked['token_endpoint_auth_method'])).to.deep.equal(['client_secret_basic', 'none']);
  });

  it('uses the URL of a client metadata document if the server supports that and can fetch it', async () => {
    flow.server.always('metadata', { members: { client_id_metadata_document_supported: true } });
    expect(parametersOf((await flow.begin({}, DOCUMENT_URL)).url)['client_id']).to.equal(DOCUMENT_URL);
    expect(flow.registrations).to.deep.equal([]);
    for (const url of ['http://svc.example.com/1', 'https://localhost/1', 'https://10.0.0.1/1', 'https://svc/1'])
      expect(parametersOf((await flow.begin({}, url)).url)['client_id'], url).not.to.equal(url);
  });

  it('uses the app of the integration at the issuer that the integration names', async () => {
    const { clientId, clientSecret } = flow.server.provider;
    const own = { client: { clientId, clientSecret, scopes: [] }, integrationConfig: { issuer: flow.server.origin } };
    const begun = await flow.begin(own);
    expect(parametersOf(begun.url)['client_id']).to.equal(clientId);
    expect(flow.registrations).to.deep.equal([]);
    expect((await flow.complete(begun, {}, own)).client).to.deep.equal({ from: 'integration', secretIn: 'basic' });
    expect(flow.server.provider.ledger.of('token')[0]?.headers.authorization).to.match(/^Basic /);
  });

  it('explains what to configure if the server registers no clients', async () => {
    flow.server.always('metadata', { members: { registration_endpoint: undefined } });
    const error: unknown = await flow.begin().catch((cause: unknown) => cause);
    expect(error)
      .to.include({ code: 'missing_client_id' })
      .and.have.property('message')
      .that.includes('integration_config.issuer')
      .and.not.includes(flow.server.origin);
  });

  it('asks for the scopes of the integration, else those of the challenge, else all that the server lists', async () => {
    const scopeOf = async (scopes: string[] = []) => {
      const client = { clientId: '', clientSecret: '', scopes };
      return parametersOf((await flow.begin({ client })).url)['scope'];
    };
    flow.server.always('resource', { members: { scopes_supported: ['a', 'b', 'no scope'] } });
    expect(await scopeOf()).to.equal('a b');
    const challenge = `Bearer error_description="scope=\\"x\\"", scope="c d", resource_metadata="${flow.server.origin}/.well-known/oauth-protected-resource"`;
    flow.server.always('mcp', { response: { status: 401, headers: { 'www-authenticate': challenge } } });
    expect(await scopeOf()).to.equal('c d');
    expect(await scopeOf(['own'])).to.equal('own');
    expect(flow.registrations.map(({ scope }) => scope)).to.deep.equal(['a b', 'c d', 'own']);
  });

  it('asks for a refresh token if the server lists a scope for that', async () => {
    flow.server.always('metadata', { members: { scopes_supported: ['a', 'offline_access'] } });
    expect(parametersOf((await flow.begin()).url)['scope']).to.equal('offline_access');
  });

  it('works at servers without resource metadata, which are their own authorization servers', async () => {
    flow.server.always('mcp', { response: { status: 401 } });
    flow.server.always('resource', { response: { status: 404 } });
    expect(parametersOf((await flow.begin()).url)['resource']).to.equal(flow.server.endpoint);
  });

  it('accepts an issuer with a path at a server without resource metadata, but none at another origin', async () => {
    flow.server.always('mcp', { response: { status: 401 } });
    flow.server.always('resource', { response: { status: 404 } });
    const issuer = `${flow.server.origin}/oauth`;
    flow.server.always('metadata', { members: { issuer } });
    const begun = await flow.begin();
    expect(await flow.complete(begun)).to.include({ issuer });
    flow.server.always('metadata', { members: { issuer: 'https://elsewhere.example' } });
    const error: unknown = await flow.begin({}, 'https://svc.internal/2').catch((cause: unknown) => cause);
    expect(error).to.have.property('message').that.includes('found "https://elsewhere.example"');
    expect(error).to.have.property('message').that.includes(`configured "${flow.server.origin}"`);
  });

  it('is refused with a server address that its form does not accept', async () => {
    const connectionConfig = { mcp_server_url: `ftp://${canary('address')}` };
    const error: unknown = await flow.begin({ connectionConfig }).catch((cause: unknown) => cause);
    expect(error).to.include({ code: 'invalid_query_params' });
  });
});
