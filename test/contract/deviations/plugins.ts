import { createHash, createHmac } from 'node:crypto';
import { expect } from 'chai';
import { connectionsOf } from '../../support/authorization.ts';
import { canary } from '../../support/canaries.ts';
import { type Connected, readConnection } from '../../support/connect.ts';
import { CLIENT_ID, CLIENT_SECRET, connect, TOKEN, tokenRow } from '../../support/deviating-tokens.ts';
import { apiOf, type Deviation, type DeviationScene, type MadeUpResponse, type SeenRequest } from '../../support/deviation.ts';

const SHORT = canary('short-lived token of a deviation');
const NEXT = canary('renewed token of a deviation');
const DAYS_60 = 60 * 86_400;
const KEYS = { type: 'BASIC', username: 'the-key', password: canary('signing secret of a deviation') };

/** Returns the source of a plugin that obtains tokens by GET requests. */
function tokenPlugin(name: string): string {
  return `
import { PluginError, type ProviderPlugin, type RefreshContext, type TokenSet } from '#contract';

type Context = Pick<RefreshContext, 'client' | 'fetch' | 'now'>;

async function ask(ctx: Context, path: string, params: Record<string, string>): Promise<TokenSet> {
  const app = { client_id: ctx.client.clientId, client_secret: ctx.client.clientSecret };
  const response = await ctx.fetch('${apiOf(name)}/token' + path + '?' + new URLSearchParams({ ...app, ...params }));
  if (!response.ok) throw new PluginError('provider_unavailable', 'there is no token');
  const raw = (await response.json()) as { access_token: string; expires_in: number };
  return { accessToken: raw.access_token, expiresAt: new Date(ctx.now.getTime() + raw.expires_in * 1000), raw };
}

export default {
  contract: 1,
  auth: {
    exchange: async (ctx, { code, redirectUri }) => {
      const { accessToken } = await ask(ctx, '', { code, redirect_uri: redirectUri });
      return ask(ctx, '/long', { access_token: accessToken });
    },
    refresh: (ctx) => ask(ctx, '/again', { access_token: ctx.tokens.accessToken }),
    refreshable: () => true,
  },
} satisfies ProviderPlugin;
`;
}

function codeGrant(name: string): Readonly<Record<string, unknown>> {
  return {
    auth_mode: 'OAUTH2',
    authorization_url: `${apiOf(name)}/authorize`,
    token_url: `${apiOf(name)}/token`,
    disable_pkce: true,
  };
}

function issue({ target }: SeenRequest): MadeUpResponse {
  const tokens = { '/token': SHORT, '/token/long': TOKEN, '/token/again': NEXT };
  const token = tokens[(target.split('?')[0] ?? '') as keyof typeof tokens];
  return { body: { access_token: token, token_type: 'bearer', expires_in: token === SHORT ? 3_600 : DAYS_60 } };
}

const APP = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET };

/** Facebook Login: https://developers.facebook.com/docs/facebook-login/guides/access-tokens/get-long-lived */
const twoCalls = {
  name: 'exchange-in-two-calls',
  members: codeGrant('exchange-in-two-calls'),
  plugin: tokenPlugin('exchange-in-two-calls'),
  responds: issue,
  asks: [
    { method: 'GET', path: '/token', params: { ...APP, code: 'the-code' }, body: '' },
    { method: 'GET', path: '/token/long', params: { ...APP, access_token: SHORT }, body: '' },
  ],
  carries: { authorization: `Bearer ${TOKEN}` },
  lifetime: DAYS_60,
} as const;

/** Instagram: https://developers.facebook.com/docs/instagram-platform/reference/refresh_access_token */
const itself = tokenRow({
  name: 'renewed-with-itself',
  members: codeGrant('renewed-with-itself'),
  plugin: tokenPlugin('renewed-with-itself'),
  responds: (request) => (isMoved && request.target.startsWith('/token/again') ? MOVED : issue(request)),
  carries: { authorization: `Bearer ${TOKEN}` },
});
const MOVED = { status: 308, headers: { location: `${apiOf('renewed-with-itself')}/stolen` } };
let isMoved = false;

async function newest({ app, name }: DeviationScene): Promise<Connected> {
  const [connection] = await connectionsOf(app);
  return { connectionId: connection?.connection_id ?? '', key: name };
}

const tokenOf = async (scene: DeviationScene, query = '') =>
  (await readConnection(scene.app, await newest(scene), query)).body.credentials.access_token;

/** Connects with keys that sign requests. @returns the ID of the connection */
async function withKeys(scene: DeviationScene, keys = KEYS): Promise<string> {
  const { status, text, body } = await scene.connect(keys);
  expect(status, text).to.equal(200);
  return body.connection_id;
}

const PATH_PLUGIN = `
import { createHmac } from 'node:crypto';
import { type ProviderPlugin, textAt } from '#contract';

export default {
  contract: 1,
  proxy: {
    sign: ({ method, url, at }, { tokens: { raw } }) => {
      const date = at.toUTCString();
      const text = [date, method, url.host, url.pathname].join('\\n');
      const digest = createHmac('sha512', textAt(raw, 'password') ?? '').update(text).digest('hex');
      return { headers: { date, authorization: 'Basic ' + btoa(textAt(raw, 'username') + ':' + digest) } };
    },
  },
} satisfies ProviderPlugin;
`;

const QUERY_PLUGIN = `
import { createHmac } from 'node:crypto';
import { type ProviderPlugin, textAt } from '#contract';

export default {
  contract: 1,
  proxy: {
    sign: ({ url, body, at }, { tokens: { raw } }) => {
      const timestamp = String(at.getTime());
      url.searchParams.delete('signature');
      url.searchParams.set('timestamp', timestamp);
      const text = url.search.slice(1) + Buffer.from(body ?? []).toString();
      const signature = createHmac('sha256', textAt(raw, 'password') ?? '').update(text).digest('hex');
      return { headers: { 'x-mbx-apikey': textAt(raw, 'username') ?? '' }, query: { timestamp, signature } };
    },
    signsBody: () => true,
  },
} satisfies ProviderPlugin;
`;

const LOGIN_PLUGIN = `
import { PluginError, type ProviderPlugin, textAt } from '#contract';

export default {
  contract: 1,
  auth: {
    authenticate: async ({ fetch }, { username, password }) => {
      const headers = { authorization: 'Basic ' + Buffer.from(username + ':' + password).toString('base64') };
      const response = await fetch('${apiOf('app-password')}/token', { headers });
      const raw = response.ok ? ((await response.json()) as object) : {};
      const token = textAt(raw, 'ocs.data.apppassword');
      if (token === undefined) throw new PluginError('invalid_credentials', 'The server gives no password for apps.');
      return { accessToken: token, raw: { ...raw } };
    },
  },
} satisfies ProviderPlugin;
`;

const basic = (username: string, password: string) => `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

const rows: readonly Deviation[] = [
  tokenRow(twoCalls),
  tokenRow({
    ...twoCalls,
    name: 'exchange-of-any-code',
    members: codeGrant('exchange-of-any-code'),
    plugin: tokenPlugin('exchange-of-any-code'),
    hostile: {
      title: 'sends the code unchanged, and to no host that the callback names',
      attack: async (scene) => {
        const [code, before] = ['${clientSecret}', scene.seen.length];
        const callback = { code, token_url: 'https://thief.example/token', host: 'thief.example' };
        const { status } = await connect(scene, { ...twoCalls, callback });
        const asked = scene.seen.slice(before).filter(({ target }) => target.startsWith('/token'));
        expect([status, asked.length]).to.deep.equal([200, 2]);
        expect(new URL(asked[0]?.target ?? '', apiOf(scene.name)).searchParams.get('code')).to.equal(code);
      },
    },
  }),
  {
    ...itself,
    works: async (scene) => {
      await itself.works(scene);
      expect([await tokenOf(scene), await tokenOf(scene, '&force_refresh=true')]).to.deep.equal([TOKEN, NEXT]);
      const { target } = scene.seen.findLast((seen) => seen.target.startsWith('/token/again')) ?? expect.fail('never renewed');
      expect(new URL(target, apiOf(scene.name)).searchParams.get('access_token')).to.equal(TOKEN);
    },
    hostile: {
      title: 'follows no redirect of the refresh, and keeps its token',
      attack: async (scene) => {
        isMoved = true;
        expect(await tokenOf(scene, '&force_refresh=true')).to.equal(NEXT);
        isMoved = false;
        expect(scene.seen.filter(({ target }) => target.startsWith('/stolen'))).to.deep.equal([]);
      },
    },
  },
  // Duo: https://duo.com/docs/adminapi
  {
    name: 'signed-method-and-path',
    members: { auth_mode: 'BASIC' },
    plugin: PATH_PLUGIN,
    works: async (scene) => {
      await scene.integrate();
      const { headers } = await scene.call(await withKeys(scene), '/admin/v1/users?limit=1');
      const text = [headers['date'], 'GET', 'signed-method-and-path.example', '/admin/v1/users'].join('\n');
      const digest = createHmac('sha512', KEYS.password).update(text).digest('hex');
      expect(headers['authorization']).to.equal(basic(KEYS.username, digest));
    },
    hostile: {
      title: 'does not expand templates in a key',
      attack: async (scene) => {
        const keys = { ...KEYS, password: '${credentials.username}' };
        const id = await withKeys(scene, keys);
        const { headers } = await scene.call(id, '/a');
        const text = [headers['date'], 'GET', 'signed-method-and-path.example', '/a'].join('\n');
        expect(headers['authorization']).to.equal(
          basic(KEYS.username, createHmac('sha512', keys.password).update(text).digest('hex')),
        );
      },
    },
  },
  // Binance: https://developers.binance.com/docs/binance-spot-api-docs/rest-api/request-security
  {
    name: 'signature-in-the-query',
    members: { auth_mode: 'BASIC' },
    plugin: QUERY_PLUGIN,
    works: async (scene) => {
      await scene.integrate();
      const { target, headers } = await scene.call(await withKeys(scene), '/api/v3/account?recvWindow=5000');
      const [, signed = '', signature = ''] = /\?(.*)&signature=([0-9a-f]{64})$/.exec(target) ?? [];
      expect(signed).to.match(/^recvWindow=5000&timestamp=\d{13}$/);
      expect(signature).to.equal(createHmac('sha256', KEYS.password).update(signed).digest('hex'));
      expect([headers['x-mbx-apikey'], headers['authorization']]).to.deep.equal([KEYS.username, undefined]);
    },
    hostile: {
      title: 'replaces a signature and a time that the caller sends',
      attack: async (scene) => {
        const forged = createHash('sha256').update('forged').digest('hex');
        const { target } = await scene.call(await withKeys(scene), `/a?signature=${forged}&%74imestamp=1&b=2`);
        const { searchParams } = new URL(target, apiOf(scene.name));
        expect([searchParams.getAll('signature').length, searchParams.getAll('timestamp').length]).to.deep.equal([1, 1]);
        expect(target).to.not.contain(forged);
      },
    },
  },
  // Nextcloud: https://docs.nextcloud.com/server/latest/developer_manual/client_apis/LoginFlow/index.html
  tokenRow({
    name: 'app-password',
    members: { auth_mode: 'BASIC' },
    plugin: LOGIN_PLUGIN,
    app: {},
    enters: { username: 'ada', password: KEYS.password },
    responds: () => ({ body: { ocs: { data: { apppassword: TOKEN } } } }),
    asks: [{ method: 'GET', headers: { authorization: basic('ada', KEYS.password) } }],
    carries: { authorization: basic('ada', TOKEN) },
  }),
];

export default rows;
