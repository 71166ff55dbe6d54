import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { AUTH_MODES } from '../../core/auth-modes/index.ts';
import { applyRetention } from '../../core/operate/retention.ts';
import { startApp } from '../support/app.ts';
import { canary, rememberSecret } from '../support/canaries.ts';
import { createSession, mustBe } from '../support/connect.ts';
import { makeFolders } from '../support/folders.ts';
import { serve } from '../support/loopback-server.ts';
import { startFakeMcp } from '../support/mcp-server/fake-mcp.ts';
import { size } from '../support/size.ts';
import { use } from '../support/use.ts';

/** The number of abandoned flows of each mode. */
const MANY = size(500, 25_000);
const DAY_MS = 86_400_000;
const PEM = rememberSecret(
  'key of an abandoned flow',
  String(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' })),
);

const SERVER = '${integrationConfig.server}';
const URLS = { authorization_url: `${SERVER}/authorize`, token_url: `${SERVER}/token` };
const CLIENT = { client_id: 'client', client_secret: canary('abandoned flows: client secret') };
const APP = { ...CLIENT, app_id: '4711', app_link: 'https://apps.example.com/ours', private_key: PEM };

/** For each mode with a redirect, a provider definition and the app of its integration. */
const REDIRECTING: Readonly<Record<string, { readonly definition: object; readonly app: object }>> = {
  OAUTH1: { definition: { ...URLS, request_url: `${SERVER}/request` }, app: CLIENT },
  OAUTH2: { definition: URLS, app: CLIENT },
  // This mode registers its client itself (RFC 7591), so the integration needs no app.
  MCP_OAUTH2: { definition: { mcp_server_url: `${SERVER}/mcp` }, app: {} },
  APP: { definition: URLS, app: APP },
  CUSTOM: {
    definition: {
      ...URLS,
      installation: {
        user_token_url: `${SERVER}/token`,
        user_installations: { url: `${SERVER}/list`, list: 'installations', id: 'id' },
      },
    },
    app: APP,
  },
};
const NAMES = Object.keys(REDIRECTING);
const keyOf = (name: string) => `abandoned-${name.toLowerCase().replace('_', '-')}`;

describe('authorizations that nobody finishes (OAU-13)', function () {
  this.timeout(size(30_000, 240_000));
  const TOKENS = new URLSearchParams({
    oauth_token: 'request-token',
    oauth_token_secret: canary('abandoned flows: request token secret'),
    oauth_callback_confirmed: 'true',
  });
  const server = use(this, () => serve((_, response) => response.end(TOKENS.toString())));
  const mcp = use(this, startFakeMcp);
  const folders = use(this, () => {
    const common = {
      docs: 'https://docs.example.com',
      integration_config: { server: { type: 'string', title: 'A', format: 'uri' } },
    };
    const files = Object.entries(REDIRECTING).map(([name, { definition }]) => [
      `${keyOf(name)}/provider.json`,
      JSON.stringify({ display_name: name, auth_mode: name, ...common, ...definition }),
    ]);
    return makeFolders(Object.fromEntries(files));
  });
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: folders.path } }));

  /** Begins one flow of a mode, up to its redirect, and copies its row to get the others. */
  async function begin(name: string): Promise<void> {
    const key = keyOf(name);
    const credentials = { type: name, ...REDIRECTING[name]?.app };
    const integration_config = { server: name === 'MCP_OAUTH2' ? mcp.url : server.url };
    mustBe(200, await app.api.post('/integrations', { unique_key: key, provider: key, credentials, integration_config }));
    const token = await createSession(app, { allowed_integrations: [key] });
    const response = await fetch(`${app.url}/oauth/connect/${key}?connect_session_token=${token}`, { redirect: 'manual' });
    expect(response.status, `${name}: ${await response.text()}`).to.equal(302);
    await app.database.db.raw(
      `insert into authorization_flows (environment_id, session_id, integration_id, state_hash, browser_hash, secrets, expires_at)
       select f.environment_id, session_id, integration_id, sha256(convert_to(i || ?, 'UTF8')), browser_hash, secrets, expires_at
       from authorization_flows f join integrations on integrations.id = integration_id, generate_series(2, ?::int) i
       where unique_key = ?`,
      [name, MANY, key],
    );
  }

  const flows = async () => Number((await app.database.db('authorization_flows').count())[0]?.['count']);

  it('are tested with every mode that redirects', () => {
    expect(NAMES).to.have.members(AUTH_MODES.filter((mode) => mode.begin !== undefined).map(({ name }) => name));
  });

  it('are deleted a day later, with everything that was stored for them', async () => {
    for (const name of NAMES) await begin(name);
    expect(await flows()).to.equal(NAMES.length * MANY);
    await applyRetention(app.services);
    expect(await flows(), 'while a user may still come back').to.equal(NAMES.length * MANY);
    await app.clock.advance(DAY_MS + 3_600_000);
    await applyRetention(app.services);
    expect(await flows()).to.equal(0);
    expect(await app.database.db('connect_sessions')).to.deep.equal([]);
    expect(await app.database.db('connections')).to.deep.equal([]);
  });
});
