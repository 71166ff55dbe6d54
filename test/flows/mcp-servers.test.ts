import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { startApp, type TestApp } from '../support/app.ts';
import { connectionsOf, finish, returnFromProvider } from '../support/authorization.ts';
import { type Connected, createSession, mustBe } from '../support/connect.ts';
import { startMcpServer } from '../support/mcp-server/mcp-server.ts';
import { use } from '../support/use.ts';

const KEY = 'mcp';

describe('a server of the Model Context Protocol', function () {
  const app = use(this, startApp);
  const server = use(this, startMcpServer);

  before(async () => {
    mustBe(200, await app.api.post('/integrations', { unique_key: KEY, provider: 'generic-mcp' }));
  });

  it('is connected, called with streams, renewed and left', async () => {
    const connected = await connect(app, server.url);
    const client = await openClient(app, connected);
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
});

async function connect(app: TestApp, url: string): Promise<Connected> {
  const token = await createSession(app, { allowed_integrations: [KEY] });
  const returning = await returnFromProvider(app, { key: KEY, token, params: { mcp_server_url: url } });
  mustBe(200, await finish(returning));
  const [connection] = await connectionsOf(app);
  return { connectionId: connection?.connection_id ?? '', key: KEY };
}

async function openClient(app: TestApp, { connectionId, key }: Connected): Promise<Client> {
  const headers = { authorization: `Bearer ${app.apiKey}`, 'provider-config-key': key, 'connection-id': connectionId };
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/proxy`), { requestInit: { headers } }));
  return client;
}
