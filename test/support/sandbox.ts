import { canary } from './canaries.ts';
import { type Connected, connectUrl, createSession, mustBe, type Service } from './connect.ts';
import { type Page, WebWalker } from './web-walker.ts';

export interface Visit {
  readonly key?: string;
  /** Additional fields of the request that creates the connect session. */
  readonly session?: Readonly<Record<string, unknown>>;
  /** Additional parameters of the authorization request, which change the behaviour of the demo provider. */
  readonly switches?: Readonly<Record<string, string>>;
  /** The values that the person enters on the authorization page. */
  readonly form?: Readonly<Record<string, string>>;
}

/** Creates an integration of a demo provider, which needs no credentials or settings. */
export async function addSandbox({ api }: Pick<Service, 'api'>, provider = 'sandbox-oauth2'): Promise<string> {
  mustBe(200, await api.post('/integrations', { unique_key: provider, provider }));
  return provider;
}

/**
 * Opens the demo provider's authorization page in a person's browser.
 *
 * @returns `page` is a later page if the demo provider asked the person nothing
 */
export async function openSandbox(service: Service, visit: Visit = {}): Promise<{ browser: WebWalker; page: Page }> {
  const { key = 'sandbox-oauth2', session = {}, switches = {} } = visit;
  const presets = { integrations_config_defaults: { [key]: { authorization_params: switches } } };
  const token = await createSession(service, { allowed_integrations: [key], ...presets, ...session });
  const browser = new WebWalker();
  return { browser, page: arrived(await browser.follow(connectUrl(service, { key, token }))) };
}

/** Submits the form of the authorization page. By default, the person allows access. */
export async function decide(browser: WebWalker, page: Page, form: Visit['form'] = {}): Promise<Page> {
  const body = new URLSearchParams({ request: requestIn(page), person: 'ada', decision: 'allow', ...form });
  return arrived(await browser.follow(new URL('authorize', page.url).href, undefined, { method: 'POST', body }));
}

/** Opens the authorization page and submits its form. @returns the page at the end of the flow */
export async function visitSandbox(service: Service, visit: Visit = {}): Promise<Page> {
  const { browser, page } = await openSandbox(service, visit);
  return decide(browser, page, visit.form);
}

/** Creates a connection by a visit to the demo provider. */
export async function connectSandbox(service: Service, visit: Visit = {}): Promise<Connected> {
  const page = await visitSandbox(service, visit);
  mustBe(200, page);
  const { body } = await service.api.get('/connections?limit=1');
  return { connectionId: body.connections[0].connection_id, key: visit.key ?? 'sandbox-oauth2' };
}

/** Returns the authorization request from a hidden field of the page's form. */
export function requestIn(page: Page): string {
  const [, request] = /name="request" value="([^"]+)"/.exec(page.text) ?? [];
  if (request === undefined) throw new Error(`this is not the authorization page: ${page.status} ${page.text.slice(-300)}`);
  return request;
}

export const WRONG_KEY = canary('wrong key for the sandbox');

function arrived(page: Awaited<ReturnType<WebWalker['follow']>>): Page {
  if ('stoppedAt' in page) throw new Error('the walk stopped on its way');
  return page;
}
