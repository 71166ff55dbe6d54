import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { startApp, type TestApp } from '../support/app.ts';
import { connectionsOf, enter, finish, returnFromProvider } from '../support/authorization.ts';
import { type Connected, createReconnectSession, createSession, mustBe, readConnection } from '../support/connect.ts';
import { startFakeMcp } from '../support/mcp-server/fake-mcp.ts';
import { startMcpServer } from '../support/mcp-server/mcp-server.ts';
import { use } from '../support/use.ts';

const KEY = 'mcp';
/** Longer than connections stay in the cache. */
const CACHE_MS = 11_000;
const PRESENTED = ['type', 'access_token', 'refresh_token', 'expires_at', 'raw'];

describe('a server of the Model Context Protocol', function () {
  const app = use(this, startApp);
  const server = use(this, startMcpServer);

  before(async () => {
    mustBe(200, await app.api.post('/integrations', { unique_key: KEY, provider: 'generic-mcp' }));
  });

  it('is called through the proxy, with streams, by the client of the official SDK', async () => {
    const client = await openClient(app, await connect(app, server.url));
    const messages: unknown[] = [];
    const first = Promise.withResolvers<void>();
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
      messages.push(params.data);
      first.resolve();
    });
    const counting = client.callTool({ name: 'count' });
    await first.promise;
    server.goOn();
    expect((await counting).content).to.deep.equal([{ type: 'text', text: 'two' }]);
    expect(messages).to.deep.equal(['one']);
    await client.close();
  });

  it('has its tokens refreshed for the same resource', async () => {
    const connected = await connect(app, server.url);
    server.authorization.resources.splice(0);
    const { body } = await readConnection(app, connected, '&force_refresh=true&refresh_token=true');
    expect(body.credentials).to.include({ type: 'OAUTH2' }).and.to.have.all.keys(PRESENTED);
    expect(server.authorization.resources).to.deep.equal([server.url]);
    expect((await listTools(app, connected)).tools).to.have.length(1);
  });

  it('has its tokens refreshed when it refuses them', async () => {
    const connected = await connect(app, server.url);
    server.authorization.accessTokens.clear();
    expect((await listTools(app, connected)).tools).to.have.length(1);
  });

  it('that has forgotten its client needs the user, whose authorization registers another client', async () => {
    const connected = await connect(app, server.url);
    server.authorization.clients.clear();
    const refused = await readConnection(app, connected, '&force_refresh=true');
    expect([refused.status, refused.body.error.code]).to.deep.equal([424, 'invalid_credentials']);
    expect((await readConnection(app, connected)).status, 'not asked again').to.equal(424);
    const returning = await returnFromProvider(app, { key: KEY, token: await createReconnectSession(app, connected) });
    mustBe(200, await finish(returning));
    expect((await listTools(app, connected)).tools).to.have.length(1);
  });

  it('revokes the tokens of a deleted connection', async () => {
    const { connectionId, key } = await connect(app, server.url);
    const { size } = server.authorization.refreshTokens;
    mustBe(200, await app.api.delete(`/connections/${connectionId}?provider_config_key=${key}`));
    expect(server.authorization.refreshTokens.size).to.equal(size - 1);
  });
});

describe('a lying server of the Model Context Protocol (OAU-14)', function () {
  const app = use(this, startApp);
  const server = use(this, startFakeMcp);
  const stranger = use(this, startFakeMcp);

  before(async () => {
    mustBe(200, await app.api.post('/integrations', { unique_key: KEY, provider: 'generic-mcp' }));
  });

  it('connects nobody, and the operation log says why', async () => {
    server.always('resource', { members: { resource: 'https://honest.example/mcp' } });
    const page = await enter(app, { key: KEY, params: { mcp_server_url: server.endpoint } });
    server.always('resource', {});
    expect(page.status).to.equal(400);
    expect(await connectionsOf(app)).to.deep.equal([]);
    await app.services.activity.flush();
    const { messages } = await app.database.db('operation_log').orderBy('created_at', 'desc').first('messages');
    expect(JSON.stringify(messages)).to.include('another resource');
  });

  for (const address of ['http://169.254.169.254/mcp', 'https://10.0.0.1/mcp', 'http://mcp.example.com/mcp'])
    it(`is not asked at ${address}`, async () => {
      const page = await enter(app, { key: KEY, params: { mcp_server_url: address } });
      expect([page.status, page.headers.get('location')]).to.deep.equal([400, null]);
    });

  it('gets no token of another server, even if its address is written into the database', async () => {
    const connected = await connect(app, server.endpoint);
    expect((await call(app, connected)).status).to.equal(200);
    const connection_config = { mcp_server_url: stranger.endpoint };
    await app.database.db('connections').where({ connection_id: connected.connectionId }).update({ connection_config });
    await app.clock.advance(CACHE_MS);
    const refused = await call(app, connected);
    expect([refused.status, refused.headers.get('svc-error')]).to.deep.equal([424, 'invalid_credentials']);
    expect(stranger.ledger.entries).to.deep.equal([]);
  });
});

async function connect(app: TestApp, url: string): Promise<Connected> {
  const token = await createSession(app, { allowed_integrations: [KEY] });
  const returning = await returnFromProvider(app, { key: KEY, token, params: { mcp_server_url: url } });
  mustBe(200, await finish(returning));
  const [connection] = await connectionsOf(app);
  return { connectionId: connection?.connection_id ?? '', key: KEY };
}

/** Calls the URL of the MCP server itself, without a further path, through the proxy. */
function call(app: TestApp, connected: Connected): Promise<Response> {
  return fetch(`${app.url}/proxy`, { method: 'POST', headers: headersOf(app, connected), body: '{}' });
}

function headersOf({ apiKey }: TestApp, { connectionId, key }: Connected): Record<string, string> {
  return { authorization: `Bearer ${apiKey}`, 'provider-config-key': key, 'connection-id': connectionId };
}

async function openClient(app: TestApp, connected: Connected): Promise<Client> {
  const headers = headersOf(app, connected);
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/proxy`), { requestInit: { headers } }));
  return client;
}

async function listTools(app: TestApp, connected: Connected): ReturnType<Client['listTools']> {
  const client = await openClient(app, connected);
  const tools = await client.listTools();
  await client.close();
  return tools;
}
