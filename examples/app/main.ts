import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
// In your own project, import from 'svc-node'.
import { InvalidWebhookError, parseWebhook, Svc, type Webhook } from '../../sdk/node/src/svc.ts';

const { SVC_URL = 'http://localhost:3003', SVC_KEY = '', SVC_WEBHOOK_SECRET = '', PORT = '3004' } = process.env;
const svc = new Svc({ baseUrl: SVC_URL, apiKey: SVC_KEY });
/** The tags of the user who is signed in to your application; here always Ada. */
const tags = { end_user_id: 'ada', end_user_email: 'ada@example.com' };
const webhooks: Webhook[] = [];

type Handler = (request: IncomingMessage, query: URLSearchParams) => Promise<unknown>;

const file = (name: string) => readFile(new URL(name, import.meta.url), 'utf8');

const routes: Readonly<Record<string, Handler>> = {
  'GET /': async () => (await file('page.html')).replace('{SVC_URL}', SVC_URL),
  'GET /page.js': () => file('page.js'),
  'GET /page.css': () => file('page.css'),
  'POST /api/connect-session': async () => ({ token: (await svc.connectSessions.create({ tags })).data.token }),
  'GET /api/account': async () => ({ connections: (await svc.connections.list({ tags })).connections, webhooks }),
  'GET /api/notes': async (_, query) => {
    // The URL could name the connection of any user, so notes are read only from connections of the user who is signed in.
    const { connections } = await svc.connections.list({ tags });
    const connection = connections.find(({ connection_id }) => connection_id === query.get('connection'));
    if (connection === undefined) return undefined;
    const { connection_id, provider_config_key } = connection;
    return (await svc.proxy.get('/notes', { connection_id, provider_config_key })).json();
  },
  'POST /webhooks': async (request) => {
    webhooks.unshift(parseWebhook(await buffer(request), request.headers, SVC_WEBHOOK_SECRET));
    return {};
  },
};

const TYPES: Readonly<Record<string, string>> = { '/': 'text/html', '/page.js': 'text/javascript', '/page.css': 'text/css' };

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  try {
    const answer = await routes[`${request.method} ${pathname}`]?.(request, searchParams);
    const type = TYPES[pathname] ?? 'application/json';
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8` });
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? {}));
  } catch (error) {
    // A webhook that the service has not signed is refused.
    response.writeHead(error instanceof InvalidWebhookError ? 401 : 502).end('{}');
    console.error(error instanceof Error ? error.message : error);
  }
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`The example application is at http://localhost:${PORT}.`));
