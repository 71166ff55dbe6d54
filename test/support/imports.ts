import { generateKeyPairSync } from 'node:crypto';
import { startApp, type TestApp } from './app.ts';
import { canary } from './canaries.ts';
import type { ClientResponse } from './http-client.ts';
import { type LoopbackServer, serve } from './loopback-server.ts';
import { IMPORTED_MODES, type ImportedMode, integrate, makeModeProviders, providerOfMode } from './mode-providers.ts';

/** The auth modes for which there is also a provider with a verification call, integrated as `<provider>-verified`. */
export const VERIFIED_MODES = ['BASIC', 'API_KEY', 'TBA'] as const;

/** A service with an integration for each type of credentials that can be imported, and the provider that all of them call. */
export class Imports implements AsyncDisposable {
  readonly app: TestApp;
  /** The calls that the provider has received. */
  calls: { method: string; url: string; authorization: string | undefined }[] = [];
  /** The response that the provider gives to every call. */
  responses: { status: number; body?: object } = { status: 201 };
  readonly #opened: AsyncDisposableStack;

  private constructor(app: TestApp, opened: AsyncDisposableStack) {
    this.app = app;
    this.#opened = opened;
    this.reset();
  }

  static async open(): Promise<Imports> {
    await using opened = new AsyncDisposableStack();
    let imports: Imports | undefined;
    const provider: LoopbackServer = opened.use(
      await serve(({ method = '', url = '', headers }, response) => {
        imports?.calls.push({ method, url, authorization: headers.authorization });
        const { status = 500, body = {} } = imports?.responses ?? {};
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      }),
    );
    const folders = opened.use(await makeModeProviders());
    const app = opened.use(await startApp({ env: { SVC_PROVIDERS_DIR: folders.path } }));
    const config = { integration_config: { api_base_url: provider.url } };
    for (const mode of IMPORTED_MODES) if (mode !== 'APP') await integrate(app, providerOfMode(mode));
    for (const mode of VERIFIED_MODES) await integrate(app, `${providerOfMode(mode)}-verified`, config);
    await integrate(app, providerOfMode('APP'), { ...config, credentials: { client_id: '4711', client_secret: appKey() } });
    imports = new Imports(app, opened.move());
    return imports;
  }

  reset(): void {
    this.calls = [];
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    this.responses = { status: 201, body: { token: canary('installation token'), expires_at } };
  }

  into(key: string, credentials: unknown, more: object = {}): Promise<ClientResponse> {
    return this.app.api.post('/connections', { provider_config_key: key, credentials, ...more });
  }

  put(mode: ImportedMode, credentials: unknown): Promise<ClientResponse> {
    return this.into(providerOfMode(mode), credentials);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#opened.disposeAsync();
  }
}

function appKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
