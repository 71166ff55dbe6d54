import { randomUUID } from 'node:crypto';
import { canary } from '../canaries.ts';
import { type FakeProvider, startFakeProvider } from '../fake-provider/fake-provider.ts';
import type { ScriptedResponse } from '../scripted-server/behaviour.ts';
import { type Exchange, ScriptedServer } from '../scripted-server/scripted-server.ts';

type McpEndpoint = 'mcp' | 'resource' | 'metadata' | 'register';

const WELL_KNOWN: Readonly<Record<string, McpEndpoint>> = {
  '/.well-known/oauth-protected-resource': 'resource',
  '/.well-known/oauth-authorization-server': 'metadata',
  '/register': 'register',
};

/** The address that a server names as its own. */
interface McpPlace {
  /** The server's origin. Default: the origin at which it listens. */
  readonly name?: string;
  /** The path of the MCP endpoint. Default: `/mcp`. */
  readonly path?: string;
}

/**
 * An MCP server that follows the standards until a test scripts it to do otherwise. Its metadata names the endpoints of a fake
 * provider, at which it also registers clients.
 */
export class FakeMcp extends ScriptedServer<McpEndpoint> {
  readonly provider: FakeProvider;
  readonly #place: McpPlace;

  constructor(provider: FakeProvider, place: McpPlace) {
    super();
    this.provider = provider;
    this.#place = place;
  }

  /** The server's issuer identifier and the origin of its MCP endpoint. */
  get origin(): string {
    return this.#place.name ?? this.url;
  }

  get endpoint(): string {
    return this.origin + this.#path;
  }

  get #path(): string {
    return this.#place.path ?? '/mcp';
  }

  protected override endpointOf({ pathname }: URL): McpEndpoint {
    return WELL_KNOWN[pathname] ?? 'mcp';
  }

  protected override async work(exchange: Exchange): Promise<ScriptedResponse> {
    const { behaviour, url, entry } = exchange;
    switch (this.endpointOf(url)) {
      case 'resource':
        return json(200, { resource: this.endpoint, authorization_servers: [this.origin], ...behaviour.members });
      case 'metadata':
        return json(200, { ...this.#metadata(), ...behaviour.members });
      case 'register':
        return json(201, { ...this.#register(JSON.parse(entry.body.toString('utf8'))), ...behaviour.members });
      case 'mcp':
        return this.#call(url, entry.headers.authorization);
    }
  }

  #metadata(): Record<string, unknown> {
    return {
      issuer: this.origin,
      authorization_endpoint: this.provider.authorizationUrl,
      token_endpoint: this.provider.tokenUrl,
      revocation_endpoint: `${this.provider.url}/revoke`,
      registration_endpoint: `${this.origin}/register`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    };
  }

  #register(asked: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const client = { client_id: randomUUID(), client_secret: canary('MCP client secret') };
    const isPublic = asked['token_endpoint_auth_method'] === 'none';
    this.provider.clients.set(client.client_id, new Set([isPublic ? '' : client.client_secret]));
    return { ...asked, client_id: client.client_id, ...(!isPublic && { client_secret: client.client_secret }) };
  }

  #call({ pathname }: URL, authorization = ''): ScriptedResponse {
    if (pathname !== this.#path) return json(404, {});
    if (this.provider.grants.isLive(authorization.replace(/^Bearer /, '')))
      return json(200, { jsonrpc: '2.0', id: 1, result: {} });
    const challenge = `Bearer error="invalid_token", resource_metadata="${this.origin}/.well-known/oauth-protected-resource"`;
    return { status: 401, headers: { 'www-authenticate': challenge } };
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    await this.provider[Symbol.asyncDispose]();
  }
}

export async function startFakeMcp(place: McpPlace = {}): Promise<FakeMcp> {
  const server = new FakeMcp(await startFakeProvider({ issuerInCallback: false }), place);
  await server.listen();
  return server;
}

function json(status: number, members: Readonly<Record<string, unknown>>): ScriptedResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(members) };
}
