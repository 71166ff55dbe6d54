import { expect } from 'chai';
import { providerDefinition } from '../../core/catalogue/provider-definition.ts';
import type { TestApp } from './app.ts';
import { canary } from './canaries.ts';
import { mustBe, throughProxy } from './connect.ts';
import { firstEnvironmentUuid } from './hooked.ts';
import { type ClientResponse, client } from './http-client.ts';

/** One request that the made-up provider received. */
export interface SeenRequest {
  readonly method: string;
  readonly host: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** PEM: that of the client, where it has shown one. */
  readonly certificate: string | undefined;
}

export interface MadeUpResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON unless it is a text. */
  readonly body?: unknown;
}

/**
 * One way in which providers differ: a definition that says so, a provider that behaves so, and the same for an attacker. Each
 * file of `test/contract/deviations` exports a list of them as `default`; adding one needs nothing else.
 */
export interface Deviation {
  /** The slug of its provider, whose API is at `https://<name>.example`. */
  readonly name: string;
  /** Laid over the smallest definition, one of API keys. */
  readonly members: Readonly<Record<string, unknown>>;
  /** Of a plugin: the source of its `plugin.ts`. */
  readonly plugin?: string | undefined;
  /** Stands for the provider in place of `responds`; its requests are not among those of the scene. */
  readonly server?: StandIn;
  /** Default: 200 and `{}`. */
  readonly responds?: (request: SeenRequest) => MadeUpResponse;
  readonly works: (scene: DeviationScene) => Promise<void>;
  /** What an attacker, or a careless author, makes of it. */
  readonly hostile: HostileTwin;
}

/** A fake that does not listen yet. */
interface StandIn extends AsyncDisposable {
  readonly url: string;
  listen(): Promise<void>;
}

export type HostileTwin =
  | { readonly title: string; readonly attack: (scene: DeviationScene) => Promise<void> }
  | {
      readonly title: string;
      /** Laid over the definition, which is then refused. */
      readonly members: Readonly<Record<string, unknown>>;
      readonly refusedFor: RegExp;
    };

/** The definition of a row, as text of its file. */
export function definitionOf({ name, members }: Pick<Deviation, 'name' | 'members'>): Record<string, unknown> {
  return {
    display_name: name,
    docs: 'https://docs.example.com',
    auth_mode: 'API_KEY',
    proxy: { base_url: apiOf(name) },
    ...members,
  };
}

/** Why the definition is refused: path and reason of each fault. */
export function faultsOf(row: Pick<Deviation, 'name' | 'members'>): string {
  const { error } = providerDefinition.safeParse(definitionOf(row));
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n');
}

export function apiOf(name: string): string {
  return `https://${name}.example`;
}

/** What a row can do with the service and with its provider. */
export class DeviationScene {
  readonly app: TestApp;
  readonly name: string;
  /** Of this row, the oldest first. */
  readonly seen: SeenRequest[] = [];
  /** Of the integration that `integrate` made. */
  readonly webhookSecret = canary('webhook secret of a deviation');

  constructor(app: TestApp, name: string) {
    this.app = app;
    this.name = name;
  }

  /** An integration of the row's provider. @returns its key */
  async integrate(body: Readonly<Record<string, unknown>> = {}, key: string = this.name): Promise<string> {
    mustBe(200, await this.app.api.post('/integrations', { unique_key: key, provider: this.name, ...body }));
    return key;
  }

  /** Imports a connection; the response says how that ended. */
  connect(
    credentials: object,
    { key = this.name, config = {} }: { key?: string; config?: object } = {},
  ): Promise<ClientResponse> {
    return this.app.api.post('/connections', { provider_config_key: key, credentials, connection_config: config });
  }

  /** A proxied call of a connection. @returns what the provider received */
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
  /** With its question mark. */
  readonly query?: string;
}
