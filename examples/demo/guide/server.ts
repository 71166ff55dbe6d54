import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { World } from '../world.ts';
import { runStep, shownGuide } from './steps.ts';

/**
 * The page shows no key: its commands read it from a file that only the user can read. It is for this machine's browser alone, so
 * no other site may frame it or read what it loads.
 */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'self'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

interface Answer {
  readonly type?: string;
  readonly body: unknown;
}

type Handler = (world: World) => Promise<Answer>;

const file = (name: string, type: string) => async () => ({
  type,
  body: await readFile(new URL(name, import.meta.url), 'utf8'),
});

const PAGES: Readonly<Record<string, Handler>> = {
  async 'GET /'({ serviceUrl, appUrl, admin }) {
    const links = { application: appUrl, dashboard: `${serviceUrl}/`, docs: `${serviceUrl}/docs`, email: admin.email };
    const page = await readFile(new URL('page.html', import.meta.url), 'utf8');
    const body = Object.entries(links).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, value), page);
    return { type: 'text/html', body };
  },
  'GET /page.js': file('page.js', 'text/javascript'),
  'GET /page.css': file('page.css', 'text/css'),
  // The page looks like the application.
  'GET /application.css': file('../../app/page.css', 'text/css'),
  'GET /guide': async (world) => ({ body: await shownGuide(world) }),
};

/** Serves the page with the steps of the quick start, on the loopback address. */
export async function startGuide(world: World, port: number): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(async (request, response) => {
    const { status, type = 'application/json', body } = await answerTo(world, request, port);
    response.writeHead(status, { ...HEADERS, 'content-type': `${type}; charset=utf-8` });
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    url: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function answerTo(world: World, request: IncomingMessage, port: number): Promise<Answer & { readonly status: number }> {
  if (!isOwn(request, port)) return { status: 403, body: undefined };
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  try {
    const page = PAGES[`${request.method} ${pathname}`];
    if (page !== undefined) return { status: 200, ...(await page(world)) };
    const [, name] = /^\/run\/(\w+)$/.exec(pathname) ?? [];
    const answer = request.method === 'POST' && name !== undefined ? await runStep(world, name) : undefined;
    return { status: answer === undefined ? 404 : 200, body: answer };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return { status: 502, body: undefined };
  }
}

/**
 * Returns whether a request is for this page by its own name, so that no other name that leads to this machine (DNS rebinding)
 * reads it, and, if it changes something, whether the page itself sent it.
 */
function isOwn({ method, headers }: IncomingMessage, port: number): boolean {
  const own = [`localhost:${port}`, `127.0.0.1:${port}`];
  return own.includes(headers.host ?? '') && (method === 'GET' || headers.origin === `http://${headers.host}`);
}
