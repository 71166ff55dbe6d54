import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Clock, systemClock } from '../../../core/kit/clock.ts';
import { canary } from '../canaries.ts';
import type { ScriptedResponse } from '../scripted-server/behaviour.ts';
import { type Exchange, ScriptedServer } from '../scripted-server/scripted-server.ts';
import { api } from './api.ts';
import { authorize } from './authorize.ts';
import { echoResponse } from './echo.ts';
import { Grants } from './grants.ts';
import { introspect } from './introspect.ts';
import { mayCall, notePresentedToken } from './presented-token.ts';
import type { Provider, ProviderSettings } from './provider.ts';
import { revoke } from './revoke.ts';
import { token } from './token.ts';
import { echoWebSocket, refuseUpgrade } from './web-socket.ts';

export type ProviderEndpoint = 'authorize' | 'token' | 'revoke' | 'introspect' | 'api';

export interface ProviderOptions extends Partial<ProviderSettings> {
  /** The clock that decides when tokens expire; default: the system's. */
  readonly clock?: Clock;
  readonly port?: number;
}

/** The default settings, with which a provider follows the standards. */
export const HONEST: Readonly<ProviderSettings> = {
  rotation: 'strict',
  graceSeconds: 30,
  accessTokenTtlSeconds: 3600,
  pkce: 'required',
  clientAuth: 'any',
  bodyFormat: 'any',
  issuerInCallback: true,
  openApi: false,
  dialect: {},
};

/** An OAuth 2.0 server with an API, on loopback. It follows the standards until a test scripts it to do otherwise. */
export class FakeProvider extends ScriptedServer<ProviderEndpoint> implements Provider {
  readonly clientId = 'svc-client';
  readonly clientSecret = canary('provider: client secret');
  /** The secrets of each client, by client ID. Tests add more clients, and rotate their secrets. */
  readonly clients = new Map([[this.clientId, new Set([this.clientSecret])]]);
  readonly settings: ProviderSettings;
  readonly grants: Grants;

  constructor(settings: ProviderSettings, clock: Clock) {
    super();
    this.settings = settings;
    this.grants = new Grants(settings, clock);
    this.server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  get authorizationUrl(): string {
    return `${this.url}/authorize`;
  }

  get tokenUrl(): string {
    return `${this.url}/token`;
  }

  protected override endpointOf(url: URL): ProviderEndpoint {
    if (url.pathname === '/authorize') return 'authorize';
    if (url.pathname === '/revoke') return 'revoke';
    if (url.pathname === '/introspect') return 'introspect';
    return url.pathname === '/token' ? 'token' : 'api';
  }

  protected override async work(exchange: Exchange): Promise<ScriptedResponse | undefined> {
    switch (this.endpointOf(exchange.url)) {
      case 'authorize':
        return authorize(this, exchange);
      case 'token':
        return token(this, exchange);
      case 'revoke':
        return revoke(this, exchange);
      case 'introspect':
        return introspect(this, exchange);
      case 'api':
        return await api(this, exchange);
    }
  }

  protected override received(exchange: Exchange): void {
    notePresentedToken(this.grants, exchange.entry);
  }

  protected override instead(exchange: Exchange): ScriptedResponse | undefined {
    return super.instead(exchange) ?? echoResponse(exchange);
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    socket.once('close', end);
    const entry = this.note(request, new URL(request.url ?? '/', this.url), ended);
    notePresentedToken(this.grants, entry);
    if (mayCall(this, entry)) echoWebSocket(request, socket, head);
    else refuseUpgrade(socket);
  }
}

/** Starts a provider, by default on a free port and with the settings of `HONEST`. */
export async function startFakeProvider(options: ProviderOptions = {}): Promise<FakeProvider> {
  const { clock = systemClock, port = 0, ...settings } = options;
  const provider = new FakeProvider({ ...HONEST, ...settings }, clock);
  await provider.listen(port);
  return provider;
}
