import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { jwtVerify } from 'jose';
import { canary, rememberSecret } from './canaries.ts';
import type { ScriptedResponse } from './scripted-server/behaviour.ts';
import type { LedgerEntry } from './scripted-server/ledger.ts';
import { type Exchange, ScriptedServer } from './scripted-server/scripted-server.ts';

const APP_ID = '4711';
const TOKEN_LIFETIME_MS = 3_600_000;
const USER_LIFETIME_SECONDS = 28_800;
const PER_PAGE = 2;

type Endpoint = 'install' | 'installation-token' | 'user-token' | 'installations' | 'api';

/** A user of the provider, with the IDs of their installations. */
interface User {
  readonly installations: number[];
  readonly codes: Set<string>;
  accessToken: string;
  refreshToken: string;
}

const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PEM = rememberSecret('private key of the app', KEYS.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());

/**
 * A provider like GitHub, at which users install apps. It has a page that installs the app at `/apps/ours/installations/new`,
 * issues installation tokens in exchange for the app's JWT, issues user tokens, and lists a user's installations.
 */
export class FakeAppHost extends ScriptedServer<Endpoint> {
  readonly app = {
    app_id: APP_ID,
    private_key: PEM,
    client_id: 'Iv1.ours',
    client_secret: canary('app host: client secret'),
  };
  readonly users: User[] = [];
  readonly suspended = new Set<number>();
  readonly removed = new Set<number>();
  readonly installationTokens: string[] = [];
  /** The URL to which the provider sends the browser after an installation. */
  setupUrl = '';
  /** Whether the app asks users for authorization during the installation. */
  asksUsers = true;
  #nextId = 1000;

  protected override endpointOf({ pathname }: URL): Endpoint {
    if (pathname.endsWith('/installations/new')) return 'install';
    if (pathname.endsWith('/access_tokens')) return 'installation-token';
    if (pathname === '/login/oauth/access_token') return 'user-token';
    return pathname === '/user/installations' ? 'installations' : 'api';
  }

  protected override async work({ entry, url, behaviour }: Exchange): Promise<ScriptedResponse> {
    switch (this.endpointOf(url)) {
      case 'install':
        return this.#install(entry, behaviour.members ?? {});
      case 'installation-token':
        return await this.#installationToken(entry, Number(url.pathname.split('/')[3]));
      case 'user-token':
        return this.#userToken(new URLSearchParams(entry.body.toString()));
      case 'installations':
        return this.#installationsOf(entry, Number(url.searchParams.get('page') ?? 1));
      case 'api':
        return json(200, { authorization: entry.headers.authorization ?? null });
    }
  }

  /** Adds a user who has installed the app this many times. */
  addUser(installations: number): User {
    const ids = Array.from({ length: installations }, () => this.#newInstallation());
    const user = { installations: ids, codes: new Set<string>(), accessToken: '', refreshToken: '' };
    this.users.push(user);
    return user;
  }

  /** Issues an authorization code to a user, as the installation page does. */
  codeFor({ codes }: User): string {
    const code = canary('app host: authorization code');
    codes.add(code);
    return code;
  }

  /** Installs the app for a new user, without asking. `members` of the behaviour change the callback's parameters. */
  #install({ params }: LedgerEntry, members: Readonly<Record<string, unknown>>): ScriptedResponse {
    const user = this.addUser(1);
    const code = this.codeFor(user);
    const callback = {
      installation_id: user.installations[0],
      setup_action: 'install',
      state: params['state'],
      ...(this.asksUsers && { code }),
      ...members,
    };
    const location = new URL(this.setupUrl);
    for (const [name, value] of Object.entries(callback)) if (value !== undefined) location.searchParams.set(name, String(value));
    return { status: 302, headers: { location: location.href } };
  }

  async #installationToken({ headers }: LedgerEntry, id: number): Promise<ScriptedResponse> {
    if (!(await isProof(headers.authorization))) return json(401, { message: 'A JSON web token could not be decoded' });
    const isKnown = this.users.some(({ installations }) => installations.includes(id));
    if (!isKnown || this.removed.has(id)) return json(404, { message: 'Not Found' });
    if (this.suspended.has(id)) return json(403, { message: 'This installation has been suspended' });
    const token = canary('app host: installation token');
    this.installationTokens.push(token);
    return json(201, {
      token,
      expires_at: new Date(Date.now() + TOKEN_LIFETIME_MS).toISOString(),
      permissions: { metadata: 'read' },
    });
  }

  /** Issues a user token. As at GitHub, errors have status 200. */
  #userToken(params: URLSearchParams): ScriptedResponse {
    const { client_id, client_secret } = this.app;
    if (params.get('client_id') !== client_id || params.get('client_secret') !== client_secret)
      return json(200, { error: 'incorrect_client_credentials' });
    const code = params.get('code') ?? '';
    const refreshToken = params.get('refresh_token');
    const byCode = this.users.find(({ codes }) => codes.delete(code));
    const user = byCode ?? this.users.find((one) => one.refreshToken !== '' && one.refreshToken === refreshToken);
    if (user === undefined) return json(200, { error: refreshToken === null ? 'bad_verification_code' : 'bad_refresh_token' });
    user.accessToken = canary('app host: user token');
    user.refreshToken = canary('app host: refresh token of a user');
    return json(200, {
      access_token: user.accessToken,
      expires_in: USER_LIFETIME_SECONDS,
      refresh_token: user.refreshToken,
      refresh_token_expires_in: 15_811_200,
      token_type: 'bearer',
      scope: '',
    });
  }

  #installationsOf({ headers }: LedgerEntry, page: number): ScriptedResponse {
    const user = this.users.find(({ accessToken }) => accessToken !== '' && headers.authorization === `Bearer ${accessToken}`);
    if (user === undefined) return json(401, { message: 'Bad credentials' });
    const { installations: ids } = user;
    const shown = ids.slice((page - 1) * PER_PAGE, page * PER_PAGE);
    const link = ids.length > page * PER_PAGE ? { link: `<${this.#pageUrl(page + 1)}>; rel="next"` } : {};
    const body = { total_count: ids.length, installations: shown.map((id) => ({ id, app_id: Number(APP_ID) })) };
    const response = json(200, body);
    return { ...response, headers: { ...response.headers, ...link } };
  }

  #pageUrl(page: number): string {
    return `/user/installations?per_page=${PER_PAGE}&page=${page}`;
  }

  #newInstallation(): number {
    this.#nextId += 1;
    return this.#nextId;
  }
}

export async function startFakeAppHost(): Promise<FakeAppHost> {
  const host = new FakeAppHost();
  await host.listen();
  return host;
}

/** Tells whether a header has a JWT that the app signed. Its times may be off by ten years, as tests move the service's clock. */
async function isProof(authorization = ''): Promise<boolean> {
  const key = createPublicKey(KEYS.privateKey);
  const options = { algorithms: ['RS256'], issuer: APP_ID, clockTolerance: 10 * 365 * 86_400 };
  return jwtVerify(authorization.replace(/^Bearer /, ''), key, options).then(
    () => true,
    () => false,
  );
}

function json(status: number, body: unknown): ScriptedResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** Returns two definitions of the provider: for connections with only an installation, and for those with a user token, too. */
export function appHostDefinitions(): Readonly<Record<string, string>> {
  const server = { type: 'string', title: 'Server', format: 'uri' };
  const common = {
    docs: 'https://docs.example.com',
    authorization_url: '${integration.appLink}/installations/new',
    token_url: '${integrationConfig.server}/app/installations/${connectionConfig.installation_id}/access_tokens',
    body_format: 'json',
    installation: {
      user_token_url: '${integrationConfig.server}/login/oauth/access_token',
      user_installations: { url: '${integrationConfig.server}/user/installations', list: 'installations', id: 'id' },
      suspended: { status: 403, path: 'message', equals: 'This installation has been suspended' },
    },
    integration_config: { server },
    connection_config: { installation_id: { type: 'string', title: 'Installation', pattern: '[0-9]+', automated: true } },
  };
  const base_url = '${integrationConfig.server}/api';
  const headers = { authorization: 'Bearer ${credentials.user.access_token}' };
  return {
    'host-app/provider.json': JSON.stringify({ ...common, display_name: 'Host', auth_mode: 'APP', proxy: { base_url } }),
    'host-user/provider.json': JSON.stringify({
      ...common,
      display_name: 'Host',
      auth_mode: 'CUSTOM',
      proxy: { base_url, headers },
    }),
  };
}
