import { startApp, type TestApp } from './app.ts';
import { type Connected, connectUrl, createSession } from './connect.ts';
import { type FakeProvider, startFakeProvider } from './fake-provider/fake-provider.ts';
import type { ClientResponse } from './http-client.ts';
import { makeProbes } from './probe-providers.ts';
import { TestNet } from './test-net.ts';
import { type Page, WebWalker } from './web-walker.ts';

export const PROVIDER = 'https://provider.test';

type Texts = Readonly<Record<string, string>>;

/**
 * A whole service that, as in production, allows no outbound calls to private addresses, and the fake provider, which it reaches
 * as `https://provider.test`.
 */
export interface NamedService extends AsyncDisposable {
  readonly app: TestApp;
  readonly net: TestNet;
  readonly provider: FakeProvider;
  /**
   * Creates an integration.
   *
   * @param wanted with `generic-oauth`, `config` changes some settings of an integration for the fake provider; with any other
   *   provider, it contains all settings
   */
  integrate(key: string, wanted?: { readonly provider?: string; readonly config?: Texts }): Promise<ClientResponse>;
  /** Walks a person's browser from the connect link of an integration to the result page. */
  walk(key: string, wanted?: { readonly params?: Texts }): Promise<Page>;
  connect(key: string, wanted?: { readonly params?: Texts }): Promise<Connected>;
}

export async function startNamedService(env: Texts = {}): Promise<NamedService> {
  await using opened = new AsyncDisposableStack();
  const probes = opened.use(await makeProbes());
  const provider = opened.use(await startFakeProvider({ issuerInCallback: false }));
  const net = new TestNet();
  net.add('provider.test', provider.url);
  const app = opened.use(await startApp({ net, env: { SVC_OUTBOUND_ALLOW: '', ...probes.env, ...env } }));

  const service: Omit<NamedService, typeof Symbol.asyncDispose> = {
    app,
    net,
    provider,
    integrate: (key, { provider: slug = 'generic-oauth', config = {} } = {}) =>
      app.api.post('/integrations', {
        unique_key: key,
        provider: slug,
        credentials: { client_id: provider.clientId, client_secret: provider.clientSecret },
        integration_config: slug === 'generic-oauth' ? { ...HONEST, ...config } : config,
      }),
    walk: (key, wanted) => walkThrough(app, net, { key, ...wanted }),
    connect: async (key, wanted) => {
      const page = await service.walk(key, wanted);
      if (page.status !== 200) throw new Error(`the authorization ended with ${page.status}: ${page.text}`);
      const { body } = await app.api.get('/connections?limit=1');
      return { connectionId: body.connections[0].connection_id, key };
    },
  };
  const closing = opened.move();
  return { ...service, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

const HONEST: Texts = {
  authorization_url: `${PROVIDER}/authorize`,
  token_url: `${PROVIDER}/token`,
  api_base_url: `${PROVIDER}/api`,
};

/** Walks a person's browser from the connect link of an integration, across the sites of the test network, to the result page. */
export async function walkThrough(
  app: TestApp,
  net: TestNet,
  { key, params = {} }: { readonly key: string; readonly params?: Texts },
): Promise<Page> {
  const token = await createSession(app, { allowed_integrations: [key] });
  const walker = new WebWalker();
  const begun = await walker.follow(connectUrl(app, { key, token, params }), (url) => !url.startsWith(app.url));
  if (!('stoppedAt' in begun)) return begun;
  if (!net.knows(begun.stoppedAt)) throw new Error(`the browser was sent to ${new URL(begun.stoppedAt).origin}`);
  const back = await walker.follow(net.local(begun.stoppedAt));
  if ('stoppedAt' in back) throw new Error('the walk stopped on its way');
  return back;
}
