import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { CLIENT_ID, CLIENT_SECRET, expectRefused, TOKEN, type TokenRow, tokenRow } from '../../support/deviating-tokens.ts';
import { apiOf, type Deviation } from '../../support/deviation.ts';
import { PAIRS, pemOf } from '../../support/signing-keys.ts';

const NAME = 'installed-with-user-token';
const API = apiOf(NAME);
const APP = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET };
const CALLBACK = { code: 'the-code', setup_action: 'install' };

/** GitHub: https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app */
const installed: TokenRow = {
  name: NAME,
  members: {
    auth_mode: 'CUSTOM',
    authorization_url: '${integration.appLink}/installations/new',
    token_url: `${API}/token/of-installation/$\{connectionConfig.installation_id}`,
    body_format: 'json',
    installation: {
      user_token_url: `${API}/token/of-user`,
      user_installations: { url: `${API}/user/installations`, list: 'installations', id: 'id' },
    },
    connection_config: { installation_id: { type: 'string', title: 'Installation', pattern: '[0-9]+', automated: true } },
    proxy: { base_url: API, headers: { authorization: 'Bearer ${credentials.user.access_token}' } },
  },
  app: { credentials: { ...APP, app_id: '4711', private_key: pemOf(PAIRS.rsa), app_link: `${API}/apps/ours` } },
  callback: { ...CALLBACK, installation_id: '7' },
  responds: ({ target, headers }) => {
    if (target === '/token/of-user') return { body: { access_token: TOKEN } };
    expect(decodeJwt(String(headers['authorization']).replace('Bearer ', '')).iss).to.equal('4711');
    return { status: 201, body: { token: 'of the installation', expires_at: new Date(Date.now() + 3_600_000).toISOString() } };
  },
  serves: ({ headers }) => ({ body: { installations: headers['authorization'] === `Bearer ${TOKEN}` ? [{ id: 7 }] : [] } }),
  asks: [
    { path: '/token/of-user', params: { ...APP, grant_type: 'authorization_code', code: 'the-code' } },
    { path: '/token/of-installation/7' },
  ],
  carries: { authorization: `Bearer ${TOKEN}` },
};

const rows: readonly Deviation[] = [
  tokenRow({
    ...installed,
    hostile: {
      title: 'requests no token for somebody else’s installation',
      attack: async (scene) => {
        for (const callback of [
          { ...CALLBACK, installation_id: '8' },
          { setup_action: 'install', installation_id: '7' },
        ]) {
          const seen = await expectRefused(scene, { ...installed, callback });
          expect(seen.filter(({ target }) => target.startsWith('/token/of-installation'))).to.deep.equal([]);
        }
      },
    },
  }),
];

export default rows;
