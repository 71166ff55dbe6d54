import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import { getOAuthProtectedResourceMetadataUrl, mcpAuthRouter } from '@modelcontextprotocol/sdk/server/auth/router.js';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { listen } from '../listen.ts';
import { close } from '../loopback-server.ts';
import { InstantAuthorization } from './authorization.ts';

/** An MCP server on loopback, built with the official SDK. It also acts as its authorization server. */
export interface OfficialMcpServer extends AsyncDisposable {
  /** The URL of the MCP endpoint. */
  readonly url: string;
  readonly authorization: InstantAuthorization;
  /** Ends the wait of the tool `count` after its first number. */
  goOn(): void;
}

export async function startMcpServer(): Promise<OfficialMcpServer> {
  const server = createServer();
  const origin = `http://127.0.0.1:${await listen(server)}`;
  const endpoint = new URL(`${origin}/mcp`);
  const authorization = new InstantAuthorization();
  const gate = Promise.withResolvers<void>();
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const app = createMcpExpressApp();
  const scopesSupported = ['notes:read', 'notes:write'];
  app.use(
    mcpAuthRouter({
      provider: authorization,
      issuerUrl: new URL(origin),
      resourceServerUrl: endpoint,
      scopesSupported,
      clientRegistrationOptions: { rateLimit: false },
      tokenOptions: { rateLimit: false },
      authorizationOptions: { rateLimit: false },
    }),
  );
  const guard = requireBearerAuth({
    verifier: authorization,
    requiredScopes: ['notes:read'],
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(endpoint),
    expectedResource: endpoint,
  });
  app.all('/mcp', guard, async (request: IncomingMessage, response: ServerResponse) => {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    const transport = known ?? (await openSession(sessions, gate.promise));
    await transport.handleRequest(request, response, request.body);
  });
  server.on('request', app as RequestListener);
  return { url: endpoint.href, authorization, goOn: () => gate.resolve(), [Symbol.asyncDispose]: () => close(server) };
}

async function openSession(sessions: Map<string, StreamableHTTPServerTransport>, gate: Promise<void>) {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  const server = new McpServer({ name: 'notes', version: '1.0.0' }, { capabilities: { logging: {} } });
  server.registerTool('count', { description: 'Counts to two, and waits in between.' }, async ({ sendNotification }) => {
    await sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'one' } });
    await gate;
    return { content: [{ type: 'text', text: 'two' }] };
  });
  await server.connect(transport);
  return transport;
}
