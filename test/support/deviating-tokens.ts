import { expect } from 'chai';
import { modeNamed } from '../../core/auth-modes/index.ts';
import { connectionsOf } from './authorization.ts';
import { canary } from './canaries.ts';
import { connectUrl, createSession, readConnection } from './connect.ts';
import {
  apiOf,
  type Deviation,
  type DeviationScene,
  definitionOf,
  type HostileTwin,
  type MadeUpResponse,
  type SeenRequest,
} from './deviation.ts';
import type { ClientResponse } from './http-client.ts';
import { WebWalker } from './web-walker.ts';

export const CLIENT_ID = 'the-client';
export const CLIENT_SECRET = canary('client secret of a deviation');
export const TOKEN = canary('token of a deviation');
const APP = { credentials: { client_id: CLIENT_ID, client_secret: CLIENT_SECRET } };
const CODE = 'the-code';

type Texts = Readonly<Record<string, string>>;

/** What a test expects of a token request; parts that are not named may have any value. */
interface Expected {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Texts;
  /** All parameters of the query or of the body, except the PKCE verifier and the redirect URI. */
  readonly params?: unknown;
  readonly body?: string;
}

/**
 * A test of a provider that issues tokens in a way that deviates from the standards. Requests to `/token…` are token requests,
 * and all others are calls of its API.
 */
export interface TokenRow {
  readonly name: string;
  readonly members: Readonly<Record<string, unknown>>;
  readonly plugin?: string;
  /** Fields of the request that creates the integration; default: a client ID and a client secret. */
  readonly app?: Readonly<Record<string, unknown>>;
  /** The credentials that the end user enters; without them, the end user is sent to the provider. */
  readonly enters?: object;
  readonly params?: Texts;
  /** Connection configuration that the application's backend sets in the connect session. */
  readonly backendSets?: Texts;
  /** Parameters of the callback in addition to `state`; default: a code. */
  readonly callback?: Texts;
  /** Expected parameters of the authorization URL; null for a parameter that must be absent. */
  readonly authorizes?: Readonly<Record<string, string | null>>;
  readonly responds?: (request: SeenRequest) => MadeUpResponse;
  /** Returns the response of the provider's API; default: `{}`. */
  readonly serves?: (request: SeenRequest) => MadeUpResponse;
  /** The expected token requests, in order. */
  readonly asks?: readonly Expected[];
  /** Headers that a proxied call must have when it reaches the provider, or a function that checks its headers. */
  readonly carries: Texts | ((headers: SeenRequest['headers']) => void);
  /** The expected lifetime of the stored credentials in seconds. */
  readonly lifetime?: number;
  readonly hostile?: HostileTwin;
}

/** A row, as far as an attempt to connect an account needs it. */
type Attempt = Omit<TokenRow, 'carries'> & Partial<Pick<TokenRow, 'carries'>>;

/**
 * Creates a deviation from a row. By default, its hostile twin is a provider that redirects token requests; the service must not
 * follow the redirect.
 */
export function tokenRow(row: TokenRow): Deviation {
  const { name, members, responds = () => ({ body: { access_token: TOKEN } }), serves = () => ({}) } = row;
  return {
    name,
    members,
    plugin: row.plugin,
    responds: (request) => {
      if (!request.target.startsWith('/token')) return serves(request);
      if (!isRedirected.has(name)) return responds(request);
      return { status: 307, headers: { location: `${apiOf(name)}/stolen` } };
    },
    works: (scene) => expectConnected(scene, row),
    hostile: row.hostile ?? {
      title: 'follows no redirect of the token call',
      attack: async (scene) => {
        const [before, asked] = [(await connectionsOf(scene.app)).length, scene.seen.length];
        isRedirected.add(name);
        const { status } = await connect(scene, row);
        isRedirected.delete(name);
        expect(status).to.be.at.least(400);
        const paths = scene.seen.slice(asked).map(({ target }) => target.replace(/\?.*/, ''));
        expect(new Set(paths)).to.deep.equal(new Set(['/token']));
        expect(await connectionsOf(scene.app)).to.have.length(before);
      },
    },
  };
}

const isRedirected = new Set<string>();

/** Creates a hostile twin whose callback contains a template. If the service filled it in, the client secret would be sent. */
export function templateInCode(row: Pick<TokenRow, 'name' | 'callback'>, param = 'code'): HostileTwin {
  return {
    title: 'sends a code unchanged even if it looks like a template',
    attack: async (scene) => {
      const callback = { ...row.callback, [param]: `$\{clientSecret}` };
      await connect(scene, { ...(row as TokenRow), callback });
      const { target = '', body = '' } = scene.seen.findLast((request) => request.target.startsWith('/token')) ?? {};
      expect(decodeURIComponent(target + body)).to.include(callback[param]);
    },
  };
}

/** Creates a hostile twin whose definition lets an end user's value decide to which host secrets are sent. */
export function hostOfUser(member: string, template: unknown): HostileTwin {
  return {
    title: 'is refused if a value of the user decides the host',
    members: { [member]: template, connection_config: { site: { type: 'string', title: 'Site' } } },
    refusedFor: /decides the host/,
  };
}

/** Tries to connect one more account. @returns the service's last response, which shows whether it succeeded */
export async function connect({ app, name }: DeviationScene, row: Attempt): Promise<ClientResponse> {
  const { enters, params = {}, callback = { code: CODE }, backendSets = {} } = row;
  const integrations_config_defaults = { [name]: { connection_config: backendSets } };
  const token = await createSession(app, row.backendSets && { integrations_config_defaults });
  if (enters !== undefined) {
    const query = new URLSearchParams({ connect_session_token: token });
    for (const [field, value] of Object.entries(params)) query.set(`params[${field}]`, value);
    const { form } = modeNamed(String(definitionOf(row)['auth_mode']) as Parameters<typeof modeNamed>[0]);
    return app.client().post(`${form?.path}/${name}?${query}`, enters);
  }
  const walker = new WebWalker();
  const page = await walker.visit(connectUrl(app, { key: name, token, params }));
  if (page.status !== 302) return page;
  const location = new URL(page.headers.get('location') ?? '');
  for (const [param, value] of Object.entries(row.authorizes ?? {})) expect(location.searchParams.get(param)).to.equal(value);
  const state = location.searchParams.get('state') ?? '';
  return walker.visit(`${app.url}/oauth/callback?${new URLSearchParams({ ...callback, state })}`);
}

/** Asserts that an attempt to connect is refused and stores no connection. @returns the requests that the provider received */
export async function expectRefused(scene: DeviationScene, row: Attempt): Promise<readonly SeenRequest[]> {
  const [before, asked] = [(await connectionsOf(scene.app)).length, scene.seen.length];
  const { status, text } = await connect(scene, row);
  expect(status, text).to.be.within(400, 499);
  expect(await connectionsOf(scene.app)).to.have.length(before);
  return scene.seen.slice(asked);
}

async function expectConnected(scene: DeviationScene, row: TokenRow): Promise<void> {
  await scene.integrate(row.app ?? APP);
  const { status, text } = await connect(scene, row);
  expect(status, text).to.equal(200);
  const asked = scene.seen.filter(({ target }) => target.startsWith('/token'));
  for (const [index, expected] of (row.asks ?? []).entries())
    expectRequest(asked[index] ?? expect.fail('the provider received too few token requests'), expected);

  const [connection] = await connectionsOf(scene.app);
  const connected = { connectionId: connection?.connection_id ?? '', key: scene.name };
  const { headers } = await scene.call(connected.connectionId, '/things');
  if (typeof row.carries === 'function') row.carries(headers);
  else expect(headers).to.include(row.carries);

  if (row.lifetime === undefined) return;
  const { body } = await readConnection(scene.app, connected);
  const seconds = (Date.parse(body.credentials.expires_at) - Date.now()) / 1000;
  expect(seconds).to.be.within(row.lifetime - 120, row.lifetime + 120);
}

function expectRequest(request: SeenRequest, { method = 'POST', path, headers = {}, params, body }: Expected): void {
  const [seenPath, query = ''] = request.target.split('?');
  expect(request.method).to.equal(method);
  if (path !== undefined) expect(seenPath).to.equal(path);
  expect(request.headers).to.include(headers);
  if (body !== undefined) expect(request.body).to.equal(body);
  if (params === undefined) return;
  const isJson = String(request.headers['content-type']).startsWith('application/json');
  const { redirect_uri, code_verifier, ...others } = isJson
    ? JSON.parse(request.body)
    : Object.fromEntries(new URLSearchParams(query || request.body));
  expect(others).to.deep.equal(params);
}
