import { expect } from 'chai';
import { providerDefinition } from '../../core/catalogue/provider-definition.ts';
import type { TestApp } from './app.ts';
import { canary } from './canaries.ts';
import { mustBe, throughProxy } from './connect.ts';
import { firstEnvironmentUuid } from './hooked.ts';
import { type ClientResponse, client } from './http-client.ts';

/** A request that the simulated provider received. */
export interface SeenRequest {
  readonly method: string;
  readonly host: string;
  /** The path and the query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** The client's certificate as PEM, if the client presented one. */
  readonly certificate: string | undefined;
}

export interface MadeUpResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON unless it is a text. */
  readonly body?: unknown;
}

/**
 * One way in which providers differ: a definition that declares it, a provider that behaves accordingly, and an attack on it. Each
 * file of `test/contract/deviations` exports a list of deviations as `default`; adding one needs nothing else.
 */
export interface Deviation {
  /** The slug of the provider, whose API is at `https://<name>.example`. */
  readonly name: string;
  /** Members added to the smallest definition, which is for API keys. */
  readonly members: Readonly<Record<string, unknown>>;
  /** The source of the provider's `plugin.ts`, if it has a plugin. */
  readonly plugin?: string | undefined;
  /** A server that plays the provider in place of `responds`; the scene does not record its requests. */
  readonly server?: StandIn;
  /** Returns the provider's response; default: 200 and `{}`. */
  readonly responds?: (request: SeenRequest) => MadeUpResponse;
  readonly works: (scene: DeviationScene) => Promise<void>;
  /** The case of an attacker or a careless author, which has to fail. */
  readonly hostile: HostileTwin;
}

/** A fake server that does not listen yet. */
interface StandIn extends AsyncDisposable {
  readonly url: string;
  listen(): Promise<void>;
}

export type HostileTwin =
  | { readonly title: string; readonly attack: (scene: DeviationScene) => Promise<void> }
  | {
      readonly title: string;
      /** Members added to the definition, which is then refused. */
      readonly members: Readonly<Record<string, unknown>>;
      readonly refusedFor: RegExp;
    };

/** Returns the provider definition of a deviation, as its file contains it. */
export function definitionOf({ name, members }: Pick<Deviation, 'name' | 'members'>): Record<string, unknown> {
  return {
    display_name: name,
    docs: 'https://docs.example.com',
    auth_mode: 'API_KEY',
    proxy: { base_url: apiOf(name) },
    ...members,
  };
}

/** Returns the path and the reason of each fault for which the definition is refused. */
export function faultsOf(row: Pick<Deviation, 'name' | 'members'>): string {
  const { error } = providerDefinition.safeParse(definitionOf(row));
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n');
}

export function apiOf(name: string): string {
  return `https://${name}.example`;
}

/** The operations of a deviation's test on the service and its provider. */
export class DeviationScene {
  readonly app: TestApp;
  readonly name: string;
  /** The requests that this deviation's provider has received, the oldest first. */
  readonly seen: SeenRequest[] = [];
  /** A webhook secret for the integration that `integrate` creates. */
  readonly webhookSecret = canary('webhook secret of a deviation');

  constructor(app: TestApp, name: string) {
    this.app = app;
    this.name = name;
  }

  /** Creates an integration of the provider. @returns its key */
  async integrate(body: Readonly<Record<string, unknown>> = {}, key: string = this.name): Promise<string> {
    mustBe(200, await this.app.api.post('/integrations', { unique_key: key, provider: this.name, ...body }));
    return key;
  }

  /** Imports a connection. @returns the response, which shows the outcome */
  connect(
    credentials: object,
    { key = this.name, config = {} }: { key?: string; config?: object } = {},
  ): Promise<ClientResponse> {
    return this.app.api.post('/connections', { provider_config_key: key, credentials, connection_config: config });
  }

  /** Sends a proxied call of a connection. @returns the request that the provider received */
  async call(connectionId: string, path: string, key: string = this.name): Promise<SeenRequest> {
    const before = this.seen.length;
    const { status, text } = await throughProxy(this.app, { connectionId, key }, { path });
    expect(status, text).to.equal(200);
    const request = this.seen[before];
    if (request === undefined) throw new Error('the provider received nothing');
    return request;
  }

  /** Sends a webhook of the provider to an integration. */
  async deliver({ headers = {}, body, query = '' }: Delivery, key: string = this.name): Promise<ClientResponse> {
    const url = `${this.app.url}/webhook/${await firstEnvironmentUuid(this.app)}/${key}${query}`;
    return client(url).call('POST', url, { headers: { 'content-type': 'application/json', ...headers }, body });
  }
}

interface Delivery {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** The query, with its question mark. */
  readonly query?: string;
}
