import { on } from 'node:events';
import { WebSocket } from 'ws';
import { type Received, send } from './raw-http.ts';

/** The time after which a test gives up waiting for a result. */
const RESULT_MS = 20_000;

type Texts = Readonly<Record<string, string>>;

interface FrontendOptions {
  readonly host: string;
  /** The origin of the page in which the client runs. */
  readonly origin: string;
  readonly connectSessionToken?: string;
  /** A public key, the deprecated alternative to a connect session. */
  readonly publicKey?: string;
}

interface ConnectOptions {
  readonly connectionId?: string;
  readonly params?: Texts;
  readonly hmac?: string;
  readonly userScope?: readonly string[];
}

/** Options for connecting through a window that the client has opened when the end user clicked. */
interface PopupOptions extends ConnectOptions {
  readonly visit: (url: string) => Promise<unknown>;
  /** The base URL of the WebSocket; default: `host`, including its path. */
  readonly socketHost?: string;
}

export interface AuthResult {
  readonly providerConfigKey: string;
  readonly connectionId: string;
  readonly isPending?: boolean;
}

/** The error that the caller of the client catches; `type` is the error code. */
export class AuthError extends Error {
  readonly type: string;

  constructor(message: string, type: string) {
    super(message);
    this.type = type;
  }
}

/** The endpoint for each type of credentials that is sent with its field `type`. */
const TYPED: Readonly<Record<string, string>> = {
  SIGNATURE: '/auth/signature',
  TWO_STEP: '/auth/two-step',
  JWT: '/auth/jwt',
  APP_STORE: '/auth/app-store',
};

/** The endpoints for all other credentials; the first of these fields that the credentials have determines the endpoint. */
const ENDPOINTS = {
  apiKey: '/api-auth/api-key',
  organization_id: '/auth/bill',
  username: '/api-auth/basic',
  token_id: '/auth/tba',
  client_id: '/oauth2/auth',
} as const;

/** Imitates the browser client of another product with the same API. It connects with or without a window of the provider. */
export class ExistingFrontend {
  readonly #options: FrontendOptions;

  constructor(options: FrontendOptions) {
    this.#options = options;
  }

  create(key: string, options: ConnectOptions = {}): Promise<AuthResult> {
    return this.#connect('/auth/unauthenticated', key, { options });
  }

  auth(key: string, credentials: Texts, options: ConnectOptions = {}): Promise<AuthResult> {
    const { type = '', ...members } = credentials;
    const typed = TYPED[type];
    if (typed !== undefined) return this.#connect(typed, key, { options, body: JSON.stringify(credentials) });
    const [, endpoint = expectNever(credentials)] = Object.entries(ENDPOINTS).find(([name]) => name in members) ?? [];
    return this.#connect(endpoint, key, { options, body: JSON.stringify(members) });
  }

  /**
   * Connects through a window. Its visit begins once the service has told the client the socket's ID, under which the result is
   * sent.
   */
  async authInPopup(key: string, { visit, socketHost = this.#options.host, ...options }: PopupOptions): Promise<AuthResult> {
    const socket = new WebSocket(`${socketHost.replace(/^http/, 'ws')}/`, { origin: this.#options.origin });
    const frames = on(socket, 'message', { close: ['close'], signal: AbortSignal.timeout(RESULT_MS) });
    try {
      for await (const [data] of frames) {
        const frame = JSON.parse(String(data));
        if (frame.message_type === 'connection_ack') await visit(this.popupAddress(key, frame.ws_client_id, options));
        if (frame.message_type === 'error') throw new AuthError(frame.error_desc, frame.error_type);
        if (frame.message_type === 'success')
          return {
            providerConfigKey: frame.provider_config_key,
            connectionId: frame.connection_id,
            isPending: frame.is_pending,
          };
      }
      throw new Error('the socket was closed without a result');
    } finally {
      socket.close();
    }
  }

  popupAddress(key: string, socketId: string, options: ConnectOptions = {}): string {
    return new URL(`${this.#address('/oauth/connect', key, options)}&ws_client_id=${socketId}`).href;
  }

  #address(endpoint: string, key: string, options: ConnectOptions): string {
    return `${this.#options.host}${endpoint}/${encodeURIComponent(key)}?${this.#query(options)}`;
  }

  async #connect(
    endpoint: string,
    key: string,
    { options, body }: { readonly options: ConnectOptions; readonly body?: string },
  ): Promise<AuthResult> {
    const url = new URL(this.#address(endpoint, key, options));
    const response = await this.#fetch(url, body);
    const read = JSON.parse(response.body.toString());
    if (response.status >= 200 && response.status < 300) return read;
    throw new AuthError(read.error.message, read.error.code);
  }

  #query({ connectionId, params = {}, hmac, userScope = [] }: ConnectOptions): string {
    const { publicKey, connectSessionToken } = this.#options;
    const encoded = Object.entries(params).map(
      ([name, value]) => `params[${encodeURIComponent(name)}]=${encodeURIComponent(value)}`,
    );
    return [
      ...(connectionId === undefined ? [] : [`connection_id=${connectionId}`]),
      ...(publicKey === undefined ? [] : [`public_key=${publicKey}`]),
      ...(connectSessionToken === undefined ? [] : [`connect_session_token=${connectSessionToken}`]),
      ...encoded,
      ...(hmac === undefined ? [] : [`hmac=${hmac}`]),
      ...(userScope.length === 0 ? [] : [`user_scope=${userScope.join(',')}`]),
    ].join('&');
  }

  /** Sends a cross-origin request as a browser does: after a preflight, and only an allowed origin gets the response. */
  async #fetch(url: URL, body: string | undefined): Promise<Received> {
    const target = { port: Number(url.port), path: url.pathname + url.search };
    const origin = { Origin: this.#options.origin, Accept: '*/*' };
    const asking = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'content-type' };
    const leave = await send({ ...target, method: 'OPTIONS', headers: { ...origin, ...asking } });
    const isLetIn = leave.status < 300 && /\bcontent-type\b/i.test(leave.headers['access-control-allow-headers'] ?? '');
    if (!isLetIn || !this.#mayRead(leave)) throw new TypeError('Failed to fetch');
    const response = await send({
      ...target,
      method: 'POST',
      headers: { ...origin, 'Content-Type': 'application/json' },
      body: Buffer.from(body ?? ''),
    });
    if (!this.#mayRead(response)) throw new TypeError('Failed to fetch');
    return response;
  }

  #mayRead({ headers }: Received): boolean {
    return ['*', this.#options.origin].includes(headers['access-control-allow-origin'] ?? '');
  }
}

function expectNever(credentials: Texts): never {
  throw new TypeError(`a window of the provider would open: ${Object.keys(credentials)}`);
}
