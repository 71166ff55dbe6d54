import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { canary } from './canaries.ts';
import { type LoopbackServer, serve } from './loopback-server.ts';
import type { TestNet } from './test-net.ts';

/** The hosts that Meta's documentation names. In the test network, all of them lead to the fake. */
const HOSTS = ['www.facebook.com', 'graph.facebook.com', 'www.instagram.com', 'api.instagram.com', 'graph.instagram.com'];
const DAY_SECONDS = 86_400;
const LIFETIMES = { short: 3_600, long: 60 * DAY_SECONDS } as const;

type Params = Readonly<Record<string, string>>;

interface Answer {
  readonly status?: number;
  readonly body: object;
}

/** A fake of the logins of Facebook and Instagram, which issue tokens for one hour and exchange them for tokens for 60 days. */
export class FakeMeta implements AsyncDisposable {
  readonly clientId = '990602627938098';
  readonly clientSecret = canary('Meta: app secret');
  /** The endpoints and grant types of all token requests, in order. */
  readonly called: string[] = [];
  /** Responses to the next token requests, in place of the regular ones. */
  readonly instead: Answer[] = [];
  /** All long-lived tokens that were issued. */
  readonly issued: string[] = [];
  readonly #codes = new Map<string, string>();
  readonly #tokens = new Map<string, keyof typeof LIFETIMES>();
  #server: LoopbackServer | undefined;

  static async start(net: TestNet): Promise<FakeMeta> {
    const meta = new FakeMeta();
    meta.#server = await serve(async (request, response) => {
      const url = new URL(request.url ?? '/', `https://${request.headers.host}`);
      const params = { ...Object.fromEntries(url.searchParams), ...Object.fromEntries(new URLSearchParams(await text(request))) };
      const answer = meta.#respond(request, url, params);
      if (answer instanceof URL) response.writeHead(302, { location: answer.href }).end();
      else response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
    });
    for (const host of HOSTS) net.add(host, meta.#server.url);
    return meta;
  }

  /** Revokes all tokens, as if the user had removed the app. */
  revoke(): void {
    this.#tokens.clear();
  }

  #respond({ method, headers }: IncomingMessage, { host, pathname }: URL, params: Params): Answer | URL {
    if (pathname === '/dialog/oauth' || pathname === '/oauth/authorize') return this.#authorize(params);
    const endpoint = `${method} ${host}${pathname}`;
    if (pathname === '/me') return this.#me(headers.authorization);
    this.called.push(`${endpoint} ${params['grant_type'] ?? ''}`.trim());
    const { client_secret: secret = this.clientSecret } = params;
    const scripted = this.instead.shift();
    if (scripted !== undefined) return scripted;
    if (secret !== this.clientSecret) return refused(1);
    switch (endpoint) {
      case 'GET graph.facebook.com/oauth/access_token':
        if (params['grant_type'] === 'fb_exchange_token') return this.#exchange(params['fb_exchange_token']);
        return this.#redeem(params, (access_token) => ({ access_token, token_type: 'bearer', expires_in: LIFETIMES.short }));
      case 'POST api.instagram.com/oauth/access_token':
        return this.#redeem(params, (access_token) => ({ data: [{ access_token, user_id: '1', permissions: 'basic' }] }));
      case 'GET graph.instagram.com/access_token':
        return params['client_secret'] === undefined ? refused(101) : this.#exchange(params['access_token']);
      case 'GET graph.instagram.com/refresh_access_token':
        return this.#exchange(params['access_token']);
      default:
        return refused(3);
    }
  }

  #authorize({ redirect_uri: back = '', state = '' }: Params): URL {
    const code = canary('Meta: code');
    this.#codes.set(code, back);
    const url = new URL(back);
    url.search = new URLSearchParams({ code, state }).toString();
    url.hash = '#_';
    return url;
  }

  #redeem({ code = '', redirect_uri: back }: Params, body: (token: string) => object): Answer {
    const isRight = back !== undefined && this.#codes.get(code) === back;
    this.#codes.delete(code);
    return isRight ? { body: body(this.#issue('short')) } : refused(100);
  }

  #exchange(token = ''): Answer {
    if (!this.#tokens.has(token)) return refused(190);
    const long = this.#issue('long');
    this.issued.push(long);
    return { body: { access_token: long, token_type: 'bearer', expires_in: LIFETIMES.long } };
  }

  #issue(kind: keyof typeof LIFETIMES): string {
    const token = canary(`Meta: ${kind} token`);
    this.#tokens.set(token, kind);
    return token;
  }

  #me(authorization = ''): Answer {
    const kind = this.#tokens.get(authorization.replace('Bearer ', ''));
    return kind === 'long' ? { body: { id: '1', user_id: '1', name: 'Ada', username: 'ada' } } : refused(190);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
  }
}

function refused(code: number): Answer {
  return { status: 400, body: { error: { message: 'refused', type: 'OAuthException', code, fbtrace_id: 'x' } } };
}
