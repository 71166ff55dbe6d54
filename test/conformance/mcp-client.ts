import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { finish, returnFromProvider } from '../support/authorization.ts';
import { createSession, mustBe } from '../support/connect.ts';
import { client } from '../support/http-client.ts';

/**
 * This program is the client that the conformance runner starts for each scenario, with the URL of the scenario's MCP server as
 * its argument. It creates a connection to that server and calls the server through svc's proxy.
 */

const { CONFORMANCE_SERVICE: url = '', CONFORMANCE_KEY: apiKey = '', MCP_CONFORMANCE_SCENARIO: scenario = '' } = process.env;
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}');
const serverUrl = process.argv.at(-1) ?? '';
const key = scenario.replaceAll('/', '-');
const service = { url, api: client(url, apiKey) };

const app =
  context.client_id === undefined ? {} : { credentials: { client_id: context.client_id, client_secret: context.client_secret } };
const issuer = context.client_id === undefined ? {} : { integration_config: { issuer: await issuerOf(serverUrl) } };
mustBe(200, await service.api.post('/integrations', { unique_key: key, provider: 'generic-mcp', ...app, ...issuer }));

const token = await createSession(service, { allowed_integrations: [key] });
const returning = await returnFromProvider(service, { key, token, params: { mcp_server_url: serverUrl } });
mustBe(200, await finish(returning));
const { connections } = (await service.api.get('/connections')).body;
const connected = connections.find((one: { provider_config_key: string }) => one.provider_config_key === key);

const headers = { authorization: `Bearer ${apiKey}`, 'provider-config-key': key, 'connection-id': connected.connection_id };
const mcp = new Client({ name: 'conformance', version: '1.0.0' });
await mcp.connect(new StreamableHTTPClientTransport(new URL(`${url}/proxy`), { requestInit: { headers } }));
const { tools } = await mcp.listTools();
for (const { name } of tools) await mcp.callTool({ name, arguments: {} });
await mcp.close();

/** Reads the issuer from the metadata of the server, as a user does who registers an app there. */
async function issuerOf(server: string): Promise<string> {
  const { origin } = new URL(server);
  const paths = [`${new URL(server).pathname}`, ''];
  for (const path of paths) {
    const response = await fetch(`${origin}/.well-known/oauth-protected-resource${path}`);
    if (response.ok) return ((await response.json()) as { authorization_servers: string[] }).authorization_servers[0] ?? '';
  }
  return origin;
}
