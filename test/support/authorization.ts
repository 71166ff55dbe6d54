import type { TestApp } from './app.ts';
import { connectUrl, createIntegration, createSession, type ProviderAddress, type Service } from './connect.ts';
import type { HonestProvider } from './honest-provider/honest-provider.ts';
import type { ClientResponse } from './http-client.ts';
import { type Page, WebWalker } from './web-walker.ts';

interface EntryOptions {
  readonly key?: string;
  /** Default: the token of a new session. */
  readonly token?: string;
  readonly params?: Readonly<Record<string, string>>;
  /** Default: a browser that has never visited the service. */
  readonly walker?: WebWalker;
}

/** A browser that the provider has sent back to the service, but that has not visited the callback yet. */
export interface Returning {
  readonly walker: WebWalker;
  readonly callback: URL;
}

/** Begins a flow in a browser and returns the first response. */
export async function enter(
  service: Service,
  { key = 'fake', token, params = {}, walker = new WebWalker() }: EntryOptions,
): Promise<Page> {
  return walker.visit(connectUrl(service, { key, token: token ?? (await createSession(service)), params }));
}

/** Takes a browser from the connect URL through the fake provider, which consents immediately, to just before the callback. */
export async function returnFromProvider(service: Service, options: EntryOptions = {}): Promise<Returning> {
  const { walker = new WebWalker() } = options;
  const page = await enter(service, { ...options, walker });
  const location = page.headers.get('location');
  if (location === null) throw new Error(`the flow did not begin: ${page.status} ${page.text}`);
  const back = await walker.follow(location, (url) => url.startsWith(`${service.url}/oauth/callback`));
  if (!('stoppedAt' in back)) throw new Error(`the provider did not send the browser back: ${back.status}`);
  return { walker, callback: new URL(back.stoppedAt) };
}

/** Visits the callback, with `changes` to the parameters that the provider has set; undefined removes a parameter. */
export function finish(
  { walker, callback }: Returning,
  changes: Readonly<Record<string, string | undefined>> = {},
  visitor = walker,
): Promise<Page> {
  const url = new URL(callback);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return visitor.visit(url.href);
}

export async function connectionsOf({ api }: Pick<Service, 'api'>): Promise<readonly { readonly connection_id: string }[]> {
  return (await api.get('/connections')).body.connections;
}

/** Runs an action. @returns how many more connections there are afterwards */
export async function connectionsMade(service: Pick<Service, 'api'>, run: () => Promise<void>): Promise<number> {
  const before = (await connectionsOf(service)).length;
  await run();
  return (await connectionsOf(service)).length - before;
}

/** Reads the log entry that a result page refers to. */
export function logOf({ api }: Pick<Service, 'api'>, page: Pick<Page, 'text'>): Promise<ClientResponse> {
  const id = /<code>([0-9a-f-]{36})<\/code>/.exec(page.text)?.[1];
  if (id === undefined) throw new Error(`the page has no log reference: ${page.text}`);
  return api.get(`/logs/${id}`);
}

/** Returns the text of a page without its markup. */
export function wordsOf({ text }: Pick<Page, 'text'>): string {
  const [, main = ''] = /<main>([\s\S]*)<\/main>/.exec(text) ?? [];
  return main
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Creates an integration of the strict provider, with the client that authenticates in the way that `client` names. */
export async function createHonestIntegration(
  app: TestApp,
  provider: HonestProvider,
  { key = 'honest', client = 'basic' }: { key?: string; client?: 'basic' | 'body' } = {},
): Promise<string> {
  const address: ProviderAddress = {
    url: provider.url,
    authorizationUrl: `${provider.url}/auth`,
    tokenUrl: `${provider.url}/token`,
    ...provider.clients[client],
  };
  const config = { issuer: provider.url, token_request_auth_method: client };
  return createIntegration(app, address, { key, scopes: 'notes', config });
}
