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
 * One way in which a provider deviates from the standards: a definition that declares the deviation, a provider that behaves
 * accordingly, and an attack that abuses it. Each file of `test/contract/deviations` exports a list of deviations as `default`.
 * All of them are tested, without being registered anywhere else.
 */
export interface Deviation {
  /** The slug of the provider, whose API is at `https://<name>.example`. */
  readonly name: string;
  /** Fields to add to, or replace in, a minimal definition with the auth mode `API_KEY`. */
  readonly members: Readonly<Record<string, unknown>>;
  /** The source of the provider's `plugin.ts`, if it has a plugin. */
  readonly plugin?: string | undefined;
  /** A server that plays the provider in place of `responds`; the scene does not record the requests to it. */
  readonly server?: StandIn;
  /** Returns the provider's response; default: 200 and `{}`. */
  readonly responds?: (request: SeenRequest) => MadeUpResponse;
  readonly works: (scene: DeviationScene) => Promise<void>;
  /** What an attacker, or a careless author of a definition, may try; the service must refuse it. */
  readonly hostile: HostileTwin;
}

/** A fake of a provider that does not listen yet. */
interface StandIn extends AsyncDisposable {
  readonly url: string;
  listen(): Promise<void>;
}

export type HostileTwin =
  | { readonly title: string; readonly attack: (scene: DeviationScene) => Promise<void> }
  | {
      readonly title: string;
      /** Fields to add to the definition, which the service must then refuse. */
      readonly members: Readonly<Record<string, unknown>>;
      readonly refusedFor: RegExp;
    };

/** Returns the definition of a deviation's provider, as its `provider.json` contains it. */
export function definitionOf({ name, members }: Pick<Deviation, 'name' | 'members'>): Record<string, unknown> {
  return {
    display_name: name,
    docs: 'https://docs.example.com',
    auth_mode: 'API_KEY',
    proxy: { base_url: apiOf(name) },
    ...members,
  };
}

/** Returns the faults for which the definition is refused: a line with path and reason for each. */
export function faultsOf(row: Pick<Deviation, 'name' | 'members'>): string {
  const { error } = providerDefinition.safeParse(definitionOf(row));
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n');
}

export function apiOf(name: string): string {
  return `https://${name}.example`;
}

/** What the test of a deviation can do with the service and the deviation's provider. */
export class DeviationScene {
  readonly app: TestApp;
  readonly name: string;
  /** The requests that this deviation's provider has received, the oldest first. */
  readonly seen: SeenRequest[] = [];
  /** A webhook secret that a test may give to the integration. */
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

  /** Imports a connection with these credentials. @returns the service's response, which shows whether it succeeded */
  connect(
    credentials: object,
    { key = this.name, config = {} }: { key?: string; config?: object } = {},
  ): Promise<ClientResponse> {
    return this.app.api.post('/connections', { provider_config_key: key, credentials, connection_config: config });
  }

  /** Calls the provider's API through the proxy, for a connection. @returns the request that the provider received */
  async call(connectionId: string, path: string, key: string = this.name): Promise<SeenRequest> {
    const before = this.seen.length;
    const { status, text } = await throughProxy(this.app, { connectionId, key }, { path });
    expect(status, text).to.equal(200);
    const request = this.seen[before];
    if (request === undefined) throw new Error('the provider received nothing');
    return request;
  }

  /** Sends a delivery to the webhook URL of an integration, as the provider would. */
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
