import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type ClientMetadata, Provider } from 'oidc-provider';
import { listen } from '../listen.ts';
import { close } from '../loopback-server.ts';
import { localhostIdentity } from '../tls-identity.ts';
import { type HonestClients, newClients, strictConfiguration } from './configuration.ts';
import { answerConsent } from './consent.ts';
import { presentedCertificate } from './presented-certificate.ts';

export interface HonestProviderOptions {
  /** The port; default: any free one. */
  readonly port?: number;
  /** The redirect URIs, which are compared exactly, as RFC 9700 §2.1 demands. */
  readonly redirectUris: readonly string[];
  /** Clients in addition to the two that authenticate with a secret. */
  readonly clients?: readonly ClientMetadata[];
  /** Whether to serve `https://localhost` and ask for client certificates. Clients must trust `localhostIdentity`. */
  readonly tls?: boolean;
  /** Default: 3600. */
  readonly accessTokenTtlSeconds?: number;
  /** The claims about the only user besides `sub` (OpenID Connect Core 1.0 §5.1). A test may change them at any time. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

export interface HonestProvider extends AsyncDisposable {
  /** The server's address, which is also its issuer identifier. */
  readonly url: string;
  readonly clients: HonestClients;
}

/**
 * Starts a certified OAuth 2.0 and OpenID Connect server (oidc-provider) with a small notes API on loopback.
 *
 * The server demands PKCE and the exact redirect URI, names itself in the callback (RFC 9207), rotates refresh tokens, and
 * revokes the grant when a refresh token is used twice. Client assertions must name it as their audience. A token that was issued
 * to a client certificate works only with that certificate.
 */
export async function startHonestProvider(options: HonestProviderOptions): Promise<HonestProvider> {
  const { port, redirectUris, clients: others = [], tls = false, accessTokenTtlSeconds = 3600, claims = {} } = options;
  const server = tls ? createTlsServer({ ...localhostIdentity, requestCert: true, rejectUnauthorized: false }) : createServer();
  const url = `${tls ? 'https://localhost' : 'http://127.0.0.1'}:${await listen(server, port)}`;
  const clients = newClients();
  const provider = new Provider(url, strictConfiguration({ clients, others, redirectUris, accessTokenTtlSeconds, claims }));
  const oauth = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/')) void answerConsent(provider, request, response).catch(() => response.destroy());
    else if (request.url?.startsWith('/api/')) void answerApi(provider, request, response).catch(() => response.destroy());
    else void oauth(request, response);
  });
  return { url, clients, [Symbol.asyncDispose]: () => close(server) };
}

const API: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['/api/me', { id: 'ada', name: 'Ada' }],
  ['/api/notes', [{ id: 1, text: 'Weave algebraic patterns.' }]],
]);

async function answerApi(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const presented = request.headers.authorization?.replace(/^Bearer /i, '') ?? '';
  const token = (await provider.AccessToken.find(presented)) ?? (await provider.ClientCredentials.find(presented));
  const found = API.get(request.url ?? '');
  if (token === undefined || !isBearer(request, token['x5t#S256'])) sendJson(response, 401, { error: 'invalid_token' });
  else if (found === undefined) sendJson(response, 404, { error: 'not_found' });
  else sendJson(response, 200, found);
}

/** Tells whether the request may use the token. If it is bound to a certificate, the request must present that (RFC 8705 §3). */
function isBearer(request: IncomingMessage, thumbprint: string | undefined): boolean {
  const certificate = presentedCertificate(request);
  const presented = certificate && createHash('sha256').update(certificate.raw).digest('base64url');
  return thumbprint === undefined || thumbprint === presented;
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
