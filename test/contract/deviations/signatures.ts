import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { canary } from '../../support/canaries.ts';
import { connectUrl, createSession, mustBe } from '../../support/connect.ts';
import type { Deviation, DeviationScene } from '../../support/deviation.ts';
import { client } from '../../support/http-client.ts';

const WSSE = /^UsernameToken Username="(.*)", PasswordDigest="([^"]*)", Nonce="([0-9a-f]{32})", Created="([^"]*)"$/;
const APP = { credentials: { client_id: 'consumer', client_secret: canary('consumer secret of a deviation') } };

const FLOW = {
  auth_mode: 'OAUTH1',
  request_url: 'https://request-parameters.example/request',
  authorization_url: 'https://request-parameters.example/authorize',
  token_url: 'https://request-parameters.example/token',
  request_params: { access_type: { omit_if_empty: '${integrationConfig.access_type}' } },
  integration_config: { access_type: { type: 'string', title: 'Access', optional: true } },
};

async function enterForm({ app, name }: DeviationScene, body: object): Promise<string> {
  const query = new URLSearchParams({ connect_session_token: await createSession(app) });
  const response = await app.client().post(`/auth/signature/${name}?${query}`, body);
  mustBe(200, response);
  return response.body.connectionId;
}

/** Begins a flow. @returns the URL to which the service redirects the browser */
async function begin({ app }: DeviationScene, key: string): Promise<URL> {
  const url = connectUrl(app, { key, token: await createSession(app) });
  const response = await client(app.url).get(url);
  expect(response.status, response.text).to.equal(302);
  return new URL(response.headers.get('location') ?? '');
}

const rows: readonly Deviation[] = [
  {
    name: 'hex-digest',
    members: { auth_mode: 'SIGNATURE', signature: { protocol: 'WSSE', header: 'X-Signed', digest: 'hex' } },
    works: async (scene) => {
      await scene.integrate();
      const password = canary('password of a deviation');
      const { headers } = await scene.call(await enterForm(scene, { username: 'ada', password }), '/things');
      const [, , digest = '', nonce = '', created = ''] = WSSE.exec(String(headers['x-signed'])) ?? expect.fail('no token');
      const hex = createHash('sha1').update(`${nonce}${created}${password}`).digest('hex');
      expect(Buffer.from(digest, 'base64').toString()).to.equal(hex);
    },
    hostile: {
      title: 'keeps a user name from impersonating others',
      attack: async (scene) => {
        const username = 'ada", PasswordDigest="own", Nonce="0';
        const { headers } = await scene.call(await enterForm(scene, { username, password: 'password' }), '/things');
        const [, quoted = ''] = WSSE.exec(String(headers['x-signed'])) ?? expect.fail('no token');
        expect(quoted).to.equal('ada\\", PasswordDigest=\\"own\\", Nonce=\\"0');
      },
    },
  },
  {
    name: 'request-parameters',
    members: FLOW,
    responds: () => ({ body: { oauth_token: 'request-token', oauth_token_secret: 'x', oauth_callback_confirmed: true } }),
    works: async (scene) => {
      await scene.integrate(APP);
      await scene.integrate({ ...APP, integration_config: { access_type: 'read only' } }, 'read-only');
      expect((await begin(scene, scene.name)).href).to.equal(`${FLOW.authorization_url}?oauth_token=request-token`);
      await begin(scene, 'read-only');
      expect(scene.seen.map(({ target, body }) => `${target} ${body}`)).to.deep.equal([
        '/request ',
        '/request access_type=read+only',
      ]);
    },
    hostile: {
      title: 'is refused if a user could choose the receiver of the request',
      members: {
        request_url: 'https://${connectionConfig.site}/request',
        connection_config: { site: { type: 'string', title: 'S' } },
      },
      refusedFor: /request_url: "connectionConfig.site" decides the host/,
    },
  },
];

export default rows;
