import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { rememberSecret } from './canaries.ts';
import { serve } from './loopback-server.ts';

/** The behavior of the provider, which tests can change. */
export interface ConsentSettings {
  /** The `Cross-Origin-Opener-Policy` of the provider's pages. */
  coop: string | undefined;
  /** Whether the authorization response is posted to the callback as a form. */
  byForm: boolean;
  /** If set, the provider sends this error to the callback instead of showing the consent page (RFC 6749 §4.1.2.1). */
  error: { readonly error: string; readonly error_description?: string } | undefined;
  account: { readonly id: string; readonly name?: string; readonly email?: string };
  /** The tenants among which the user chooses. */
  sites: readonly { readonly id: string; readonly name: string }[];
  /** The only key that the provider's API accepts. */
  apiKey: string;
}

/** An OAuth 2 provider with a consent page on which the user has to click, and an API that checks keys. */
export interface ConsentProvider extends AsyncDisposable {
  /** The URL at which the service calls the provider. */
  readonly url: string;
  /** The URL of the pages in browsers, which is another site than the service's `http://127.0.0.1`. */
  readonly pages: string;
  readonly settings: ConsentSettings;
  /** The `Referer` of each visit to the consent page. */
  readonly referrers: readonly (string | undefined)[];
  /** Holds back the response to the next request for this path until it is released. */
  hold(path: string): { release(): void };
}

export async function startConsentProvider(): Promise<ConsentProvider> {
  const settings: ConsentSettings = {
    coop: undefined,
    byForm: false,
    error: undefined,
    account: { id: 'ada', name: 'Ada', email: 'ada@acme.example' },
    sites: [],
    apiKey: rememberSecret('key that the API takes', randomUUID()),
  };
  const referrers: (string | undefined)[] = [];
  const held = new Map<string, Promise<void>>();
  const server = await serve(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const released = held.get(pathname);
    held.delete(pathname);
    await released;
    if (pathname === '/auth') {
      referrers.push(request.headers.referer);
      consent(settings, searchParams, response);
    } else if (pathname === '/token') {
      const token = rememberSecret('access token', randomUUID());
      json(response, 200, { access_token: token, token_type: 'Bearer', expires_in: 3600 });
    } else api(settings, request, { pathname, response });
  });
  return {
    url: server.url,
    pages: `http://localhost:${server.port}`,
    settings,
    referrers,
    hold(path) {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(path, promise);
      return { release: resolve };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function consent({ coop, error, byForm }: ConsentSettings, query: URLSearchParams, response: ServerResponse): void {
  const back = (members: object): string => {
    const url = new URL(query.get('redirect_uri') ?? '');
    const all = { ...members, state: query.get('state') ?? '' };
    for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
    return url.href.replaceAll('&', '&amp;');
  };
  if (error !== undefined) {
    response.writeHead(302, { location: back(error).replaceAll('&amp;', '&') }).end();
    return;
  }
  const policy = coop === undefined ? {} : { 'cross-origin-opener-policy': coop };
  response.writeHead(200, { 'content-type': 'text/html', ...policy });
  response.end(`<!doctype html><html lang="en"><title>Provider</title><link rel="icon" href="data:,"><h1>Allow access?</h1>
${byForm ? formTo(query) : `<a href="${back({ code: newCode() })}">Allow</a>`}
<a href="${back({ error: 'access_denied' })}">Deny</a>`);
}

/** Returns a form that posts the response to the callback (OAuth 2.0 Form Post Response Mode). */
function formTo(query: URLSearchParams): string {
  const fields = { code: newCode(), state: query.get('state') ?? '' };
  const inputs = Object.entries(fields).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
  return `<form method="post" action="${query.get('redirect_uri')}">${inputs.join('')}<button>Allow</button></form>`;
}

function newCode(): string {
  return rememberSecret('authorization code', randomUUID());
}

interface ApiCall {
  readonly pathname: string;
  readonly response: ServerResponse;
}

function api(settings: ConsentSettings, request: IncomingMessage, { pathname, response }: ApiCall): void {
  if (pathname === '/api/me') json(response, 200, settings.account);
  else if (pathname === '/api/sites') json(response, 200, settings.sites);
  else if (pathname === '/api/check')
    json(response, request.headers.authorization === `Bearer ${settings.apiKey}` ? 200 : 401, {});
  else json(response, 404, {});
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
