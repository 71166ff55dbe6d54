import { randomBytes } from 'node:crypto';
import { type JsonObject, type ProviderDefinition, type ProviderPlugin, sandboxAt } from '#contract';
import type { AuthMode, ModeInput } from '../../auth-modes/auth-mode.ts';
import { fillProviderUrl, type TemplateSource } from '../../auth-modes/building-blocks/provider-template.ts';
import { modeNamed } from '../../auth-modes/index.ts';
import type { Provider } from '../../catalogue/catalogue.ts';
import type { Plugins } from '../../catalogue/plugins/plugins.ts';
import type { Integration } from '../../connections/integrations/integration.ts';
import { modeInput } from '../../connections/integrations/mode-input.ts';
import { type Clock, systemClock } from '../../kit/clock.ts';
import { createLogger, type Logger } from '../../kit/logger.ts';
import type { Outbound } from '../../kit/outbound.ts';
import { apiResponse } from './api-responses.ts';
import { type DocumentedResponses, documentedResponse, nameOf } from './documented-responses.ts';
import { privateKeyPem } from './entered-values.ts';
import { APP_LINK, exampleSource } from './examples.ts';
import { type ProviderRequest, RehearsalProvider, type StubResponse } from './provider.ts';
import { TokenEndpoint } from './token-endpoint.ts';
import { type HookFailure, watchedPlugin } from './watched-plugin.ts';

export const REDIRECT_URI = 'http://localhost:3003/oauth/callback';
const CLIENT_ID = 'rehearsal-client';
/** The base URL of a sandbox in a rehearsal, where it is a provider like any other. */
const SANDBOX_URL = 'https://sandbox.svc.example';

interface Play {
  readonly provider: Provider;
  readonly plugins: Plugins;
  readonly documented: DocumentedResponses;
}

/**
 * An integration of the provider, the stand-in for the provider, and everything that the parts of the service need; none of it is
 * stored.
 */
export class RehearsalStage implements AsyncDisposable {
  readonly entry: Provider;
  readonly definition: ProviderDefinition;
  readonly mode: AuthMode;
  readonly plugin: ProviderPlugin;
  readonly plugins: Plugins;
  readonly provider: RehearsalProvider;
  readonly outbound: Outbound;
  readonly tokens: TokenEndpoint;
  readonly integration: Integration;
  readonly clock: Clock = systemClock;
  readonly log: Logger = createLogger({ level: 'silent' });
  readonly documented: DocumentedResponses;
  /** Requests that neither the definition nor the author describes: they were answered with `{}`. */
  readonly improvised = new Set<string>();
  /** The latest failure of a hook. */
  hookFailure: HookFailure | undefined;

  static async open(play: Play): Promise<RehearsalStage> {
    let stage: RehearsalStage | undefined;
    const provider = await RehearsalProvider.start((request) => stage?.respond(request) ?? { status: 503 });
    stage = new RehearsalStage(play, provider);
    return stage;
  }

  private constructor({ provider: entry, plugins, documented }: Play, provider: RehearsalProvider) {
    const { sandbox: _, ...definition } = sandboxAt(entry.definition, SANDBOX_URL);
    this.definition = definition;
    this.entry = { ...entry, definition };
    this.mode = modeNamed(definition.auth_mode);
    this.plugin = watchedPlugin(plugins.of(entry.slug), (failure) => {
      this.hookFailure = failure;
    });
    this.plugins = { ...plugins, of: () => this.plugin };
    this.provider = provider;
    this.outbound = provider.outbound;
    this.documented = documented;
    this.integration = integrationOf(this.entry, this.mode);
    const { clientSecret = '' } = this.integration.client;
    this.tokens = new TokenEndpoint(definition, { clientId: CLIENT_ID, clientSecret });
  }

  /** The dependencies that an auth mode gets. */
  get modeDeps() {
    return { outbound: this.outbound, now: this.clock.now };
  }

  inputWith(connectionConfig: JsonObject): ModeInput {
    return modeInput(this.integration, this.entry, { connectionConfig, rules: this.plugin.auth });
  }

  /** Fills a URL template with the definition's examples; undefined without a template, or while a value is missing. */
  urlOf(template: string | undefined): URL | undefined {
    if (template === undefined) return undefined;
    try {
      return fillProviderUrl(template, this.source);
    } catch {
      return undefined;
    }
  }

  get source(): TemplateSource {
    return { ...exampleSource(this.entry), integrationConfig: this.integration.integrationConfig };
  }

  isTokenCall({ url }: Pick<ProviderRequest, 'url'>): boolean {
    const { token_url, refresh_url, request_url } = this.definition;
    return [token_url, refresh_url, request_url].some((template) => isAt(url, this.urlOf(template)));
  }

  respond(request: ProviderRequest): StubResponse {
    const { authorization_url, request_url, revocation_url } = this.definition;
    const documented = documentedResponse(this.documented, request);
    if (documented !== undefined) return documented;
    if (isAt(request.url, this.urlOf(authorization_url))) return this.#authorize(request);
    if (isAt(request.url, this.urlOf(revocation_url))) return { status: 200 };
    if (this.isTokenCall(request)) return request_url === undefined ? this.tokens.token(request) : this.tokens.pair();
    const response = apiResponse(this.definition, request);
    if (response.body === '{}') this.improvised.add(nameOf(request.method, request.url));
    return response;
  }

  /** Answers the authorization page. In OAuth 1 the callback URL comes with the request for the request token (RFC 5849 §2.2). */
  #authorize(request: ProviderRequest): StubResponse {
    if (this.definition.request_url === undefined) return this.tokens.authorize(request);
    const callback = this.provider.requests.map(callbackIn).findLast((found) => found !== undefined);
    const back = new URL(callback ?? REDIRECT_URI);
    back.searchParams.set('oauth_token', request.url.searchParams.get('oauth_token') ?? '');
    back.searchParams.set('oauth_verifier', 'rehearsal-verifier');
    return { status: 302, headers: { location: back.href } };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.provider[Symbol.asyncDispose]();
  }
}

function isAt({ origin, pathname }: URL, place: URL | undefined): boolean {
  return place !== undefined && place.origin === origin && place.pathname === pathname;
}

function callbackIn({ headers }: ProviderRequest): string | undefined {
  const [, encoded] = /oauth_callback="([^"]+)"/.exec(headers['authorization'] ?? '') ?? [];
  return encoded === undefined ? undefined : decodeURIComponent(encoded);
}

function integrationOf(entry: Provider, mode: AuthMode): Integration {
  const { token_request_auth_method: authMethod, signature_method: method } = entry.definition;
  const needsKey = authMethod === 'private_key_jwt' || method === 'RSA-SHA1';
  const client = {
    clientId: CLIENT_ID,
    clientSecret: madeUp('client-secret'),
    scopes: [],
    webhookSecret: madeUp('webhook-secret'),
    ...(mode.app?.includes('private_key') && needsKey && { privateKey: privateKeyPem() }),
  };
  const { integrationConfig, credentials } = exampleSource(entry);
  return {
    id: 1,
    environmentId: 1,
    uniqueKey: entry.slug,
    provider: entry.slug,
    displayName: entry.definition.display_name,
    forwardWebhooks: true,
    connectScreen: { guideUrl: null, position: null },
    client: { ...client, appLink: credentials[APP_LINK] },
    integrationConfig: withoutGaps(integrationConfig),
    secretConfig: {},
    createdAt: new Date(),
    updatedAt: new Date(),
  };
}

/** Fills fields without an example, such as secrets, with a made-up value. */
export function withoutGaps(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === '' ? madeUp(name) : value]));
}

function madeUp(name: string): string {
  return `rehearsal-${name}-${randomBytes(8).toString('hex')}`;
}
