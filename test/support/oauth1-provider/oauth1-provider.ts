import { generateKeyPairSync } from 'node:crypto';
import { canary, rememberSecret } from '../canaries.ts';
import { jsonResponse } from '../fake-provider/echo.ts';
import type { ScriptedResponse } from '../scripted-server/behaviour.ts';
import type { LedgerEntry } from '../scripted-server/ledger.ts';
import { type Exchange, ScriptedServer } from '../scripted-server/scripted-server.ts';
import { createOAuthServer, type Middleware } from './libraries.ts';
import { runMiddleware } from './run-middleware.ts';
import { isNew, isSigned, protocolOf } from './signed-request.ts';

export type OAuth1Endpoint = 'request' | 'authorize' | 'token' | 'api';

interface Issued {
  readonly secret: string;
  readonly callback: string;
  verifier?: string;
}

/** The answer of the person at the consent page. */
type Consent = 'allow' | 'deny';

/** The paths of the endpoints. */
type Paths = Readonly<Record<Exclude<OAuth1Endpoint, 'api'>, string>>;

const PATHS: Paths = { request: '/request_token', authorize: '/authorize', token: '/access_token' };

/**
 * An OAuth 1.0 server and API on loopback. It uses `oauthorize` for tokens, verifiers and the redirect, and `oauth-sign` for
 * signatures, and accepts each nonce only once. Scripted behaviours replace or change its responses.
 */
export class OAuth1Provider extends ScriptedServer<OAuth1Endpoint> {
  readonly clientId = 'svc-consumer';
  readonly privateKey = newPrivateKey();
  /** A test may change the secret while the server runs, to simulate the rotation of the app's secret. */
  clientSecret = canary('OAuth 1 provider: consumer secret');
  consent: Consent = 'allow';
  /** Valid access tokens, with their secrets. */
  readonly live = new Map<string, string>();
  readonly #temporary = new Map<string, Issued>();
  readonly #nonces = new Set<string>();
  readonly #server = createOAuthServer();
  readonly #endpoints = this.#mount();
  readonly #paths: Paths;

  constructor(paths: Paths) {
    super();
    this.#paths = paths;
  }

  protected override endpointOf({ pathname }: URL): OAuth1Endpoint {
    const { request, authorize, token } = this.#paths;
    if (pathname === request) return 'request';
    if (pathname === authorize) return 'authorize';
    return pathname === token ? 'token' : 'api';
  }

  protected override async work(exchange: Exchange): Promise<ScriptedResponse> {
    const endpoint = this.endpointOf(exchange.url);
    if (endpoint === 'authorize') return this.#authorize(exchange);
    const { entry } = exchange;
    const protocol = protocolOf(entry);
    const tokenSecret =
      endpoint === 'api' ? this.live.get(protocol['oauth_token'] ?? '') : this.#temporarySecret(entry, endpoint);
    if (tokenSecret === undefined || !this.#isAuthentic(entry, tokenSecret)) return refusal(401, 'signature_invalid');
    if (endpoint === 'api') return jsonResponse(200, { id: 'ada', data: { id: 'ada' }, target: entry.target });
    const { oauth_callback, oauth_token, oauth_verifier } = protocol;
    const oauth = {
      ...(oauth_callback !== undefined && { callbackURL: oauth_callback }),
      ...(oauth_token !== undefined && { token: oauth_token }),
      ...(oauth_verifier !== undefined && { verifier: oauth_verifier }),
    };
    const request = { query: {}, user: this.clientId, authInfo: { oauth } };
    const response = await runMiddleware([this.#endpoints[endpoint]], request).catch(() => refusal(401, 'token_rejected'));
    return changed(response ?? refusal(404, 'not_found'), exchange);
  }

  #mount(): Readonly<Record<'request' | 'authorize' | 'token', Middleware>> & { readonly decide: readonly Middleware[] } {
    const server = this.#server;
    server.serializeClient((client, done) => done(null, client));
    server.deserializeClient((client, done) => done(null, client));
    return {
      request: server.requestToken((_client, callback, done) => {
        const [token, secret] = [canary('request token'), canary('request token secret')];
        this.#temporary.set(token, { secret, callback });
        done(null, token, secret, {});
      }),
      authorize: server.userAuthorization((token, done) => {
        const issued = this.#temporary.get(token);
        done(null, issued === undefined ? false : this.clientId, issued?.callback);
      }),
      decide: server.userDecision(
        {},
        (_request, done) => done(null, { allow: this.consent === 'allow' }),
        (token, _user, _response, done) => {
          const issued = this.#temporary.get(token);
          const verifier = canary('OAuth 1 verifier');
          if (issued !== undefined) issued.verifier = verifier;
          done(null, verifier);
        },
      ),
      token: server.accessToken(
        (token, verifier, done) => {
          const expected = this.#temporary.get(token)?.verifier;
          done(null, expected !== undefined && expected === verifier);
        },
        (_client, token, done) => {
          this.#temporary.delete(token);
          const [access, secret] = [canary('OAuth 1 token of a user'), canary('OAuth 1 token secret of a user')];
          this.live.set(access, secret);
          done(null, access, secret, { user_id: '42' });
        },
      ),
    };
  }

  async #authorize({ entry, behaviour }: Exchange): Promise<ScriptedResponse> {
    const session = {};
    const visit = { query: entry.params, body: {}, session, user: 'ada' } as Parameters<Middleware>[0];
    try {
      await runMiddleware([this.#endpoints.authorize], visit);
      const decision = { ...visit, query: { transaction_id: visit.oauth?.transactionID ?? '' } };
      const { headers } = (await runMiddleware(this.#endpoints.decide, decision)) ?? {};
      return { status: 302, headers: { location: withParams(String(headers?.['location']), behaviour.members) } };
    } catch {
      return refusal(400, 'token_rejected');
    }
  }

  #temporarySecret(entry: LedgerEntry, endpoint: OAuth1Endpoint): string | undefined {
    return endpoint === 'request' ? '' : this.#temporary.get(protocolOf(entry)['oauth_token'] ?? '')?.secret;
  }

  /**
   * Returns the origin that the client addressed. If `Host` names another host than this server, the server stands in for a site
   * with TLS.
   */
  #origin({ headers: { host = '' } }: LedgerEntry): string {
    return this.url.endsWith(`//${host}`) ? this.url : `https://${host}`;
  }

  #isAuthentic(entry: LedgerEntry, tokenSecret: string): boolean {
    const protocol = protocolOf(entry);
    const keys = { consumerSecret: this.clientSecret, tokenSecret, privateKey: this.privateKey };
    if (protocol['oauth_consumer_key'] !== this.clientId || !isSigned(entry, this.#origin(entry), keys)) return false;
    return isNew(protocol, this.#nonces);
  }
}

export async function startOAuth1Provider(paths: Paths = PATHS): Promise<OAuth1Provider> {
  const provider = new OAuth1Provider(paths);
  await provider.listen();
  return provider;
}

function newPrivateKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return rememberSecret('OAuth 1 private key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
}

/** Returns a refusal in the format of the extension "OAuth Problem Reporting". */
function refusal(status: number, problem: string): ScriptedResponse {
  return {
    status,
    headers: { 'www-authenticate': `OAuth realm="test", oauth_problem="${problem}"` },
    body: `oauth_problem=${problem}`,
  };
}

/** Changes a successful response according to `members` and `write` of the scripted behaviour. */
function changed(response: ScriptedResponse, { behaviour }: Exchange): ScriptedResponse {
  const members = { ...Object.fromEntries(new URLSearchParams(String(response.body))), ...behaviour.members };
  if (behaviour.write !== undefined) return behaviour.write(members);
  if (behaviour.members === undefined) return response;
  const texts = Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return { ...response, body: new URLSearchParams(Object.fromEntries(texts)).toString() };
}

function withParams(address: string, members: Readonly<Record<string, unknown>> = {}): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, String(value));
  }
  return url.href;
}
