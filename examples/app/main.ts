import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
// In your own project, import from 'svc-node'.
import { InvalidWebhookError, type ListedConnection, parseWebhook, Svc, SvcError, type Webhook } from '../../sdk/node/src/svc.ts';

const { SVC_URL = 'http://localhost:3003', SVC_KEY = '', SVC_WEBHOOK_SECRET = '', PORT = '3004' } = process.env;
const svc = new Svc({ baseUrl: SVC_URL, apiKey: SVC_KEY });
/** The tags of the user who is signed in to your application; here always Ada. */
const tags = { end_user_id: 'ada', end_user_email: 'ada@example.com' };

/** A request to the address for webhooks. Of one that the service has not signed, nothing but the time is kept. */
interface ReceivedWebhook {
  readonly at: Date;
  readonly isSigned: boolean;
  readonly webhook?: Webhook;
}

const MAX_KEPT = 20;
const received: ReceivedWebhook[] = [];

function keep(webhook: ReceivedWebhook): void {
  received.unshift(webhook);
  received.length = Math.min(received.length, MAX_KEPT);
}

function receive(body: Buffer, headers: IncomingMessage['headers']): void {
  try {
    keep({ at: new Date(), isSigned: true, webhook: parseWebhook(body, headers, SVC_WEBHOOK_SECRET) });
  } catch (error) {
    if (error instanceof InvalidWebhookError) keep({ at: new Date(), isSigned: false });
    throw error;
  }
}

/** Returns a connection for the page, with its account and state. The service knows both without calling the provider. */
async function shown({ connection_id, provider_config_key, provider }: ListedConnection) {
  const { data } = await svc.connections.health({ connection_id, provider_config_key });
  const { state, provider_account: account, last_refresh_at: refreshedAt } = data;
  return {
    connection_id,
    integration: provider_config_key,
    logo: `${SVC_URL}/logos/${provider}.svg`,
    state,
    account,
    refreshedAt,
  };
}

/** Finds a connection of the user who is signed in: a request could name the connection of any user. */
async function ownConnection(query: URLSearchParams) {
  const { connections } = await svc.connections.list({ tags });
  const { connection_id, provider_config_key } = connections.find((one) => one.connection_id === query.get('connection')) ?? {};
  return connection_id && provider_config_key ? { connection_id, provider_config_key } : undefined;
}

/** Calls the provider through the proxy, and measures how long that takes. */
async function readNotes(query: URLSearchParams) {
  const connection = await ownConnection(query);
  if (connection === undefined) return undefined;
  const start = performance.now();
  const response = await svc.proxy.get('/notes', connection);
  const body: unknown = await response.json();
  return { status: response.status, ms: Math.round(performance.now() - start), body };
}

type Handler = (query: URLSearchParams, request: IncomingMessage) => Promise<unknown>;

const file = (name: string) => readFile(new URL(name, import.meta.url), 'utf8');

const routes: Readonly<Record<string, Handler>> = {
  'GET /': async () => (await file('page.html')).replaceAll('{SVC_URL}', SVC_URL),
  'GET /page.js': () => file('page.js'),
  'GET /page.css': () => file('page.css'),
  'POST /api/connect-session': async () => ({ token: (await svc.connectSessions.create({ tags })).data.token }),
  'GET /api/account': async () => {
    const { connections } = await svc.connections.list({ tags });
    return { connections: await Promise.all(connections.map(shown)), webhooks: received };
  },
  'GET /api/notes': readNotes,
  'DELETE /api/connection': async (query) => {
    const connection = await ownConnection(query);
    return connection && svc.connections.delete(connection);
  },
  'POST /webhooks': async (_, request) => {
    receive(await buffer(request), request.headers);
    return {};
  },
};

const TYPES: Readonly<Record<string, string>> = { '/': 'text/html', '/page.js': 'text/javascript', '/page.css': 'text/css' };

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  try {
    const answer = await routes[`${request.method} ${pathname}`]?.(searchParams, request);
    const type = TYPES[pathname] ?? 'application/json';
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8` });
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? {}));
  } catch (error) {
    // A webhook that the service has not signed is refused.
    response.writeHead(error instanceof InvalidWebhookError ? 401 : 502, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: error instanceof SvcError ? error.code : undefined }));
    console.error(error instanceof Error ? error.message : error);
  }
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`The example application is at http://localhost:${PORT}.`));
