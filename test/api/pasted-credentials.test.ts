import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { readConnection } from '../support/connect.ts';
import { expectError } from '../support/std-error.ts';
import { storeIntegration } from '../support/stored.ts';
import { use } from '../support/use.ts';

/** Characters that may surround a value copied from a web page; `trim` does not remove U+200B, U+00AD and their like. */
const AROUND = ['\u200b', '\ufeff', '\u2060 ', ' \u00a0\u200d', '\u00ad', '\r\n\t'];
const UNSENDABLE = { 'typographic quotes': '\u201c', 'a line end within': '\r\n', 'a zero-width space within': '\u200b' };

describe('pasted credentials', function () {
  const app = use(this, startApp);
  before(async () => {
    const integration_config = { api_base_url: 'https://api.example', key_name: 'X-Api-Key' };
    const { api_base_url } = integration_config;
    for (const one of [
      { unique_key: 'keyed', provider: 'generic-api-key', integration_config },
      { unique_key: 'basic', provider: 'generic-basic', integration_config: { api_base_url } },
    ])
      expect((await app.api.post('/integrations', one)).status).to.equal(200);
    await storeIntegration(app.api, 'oauth');
  });

  const store = (key: string, credentials: Readonly<Record<string, unknown>>) =>
    app.api.post('/connections', { provider_config_key: key, credentials });

  async function stored(key: string, credentials: Readonly<Record<string, unknown>>) {
    const { status, body, text } = await store(key, credentials);
    expect(status, text).to.equal(200);
    return (await readConnection(app, { key, connectionId: body.connection_id })).body.credentials;
  }

  for (const around of AROUND) {
    it(`are stored without ${JSON.stringify(around)} around them, but passwords unchanged`, async () => {
      const [apiKey, token, password] = [canary('API key'), canary('access token'), canary('password')];
      const wrapped = (text: string) => `${around}${text}${around}`;
      expect((await stored('keyed', { type: 'API_KEY', apiKey: wrapped(apiKey) })).apiKey).to.equal(apiKey);
      expect((await stored('oauth', { type: 'OAUTH2', access_token: wrapped(token) })).access_token).to.equal(token);
      const login = { type: 'BASIC', username: wrapped('ada'), password: wrapped(password) };
      expect(await stored('basic', login)).to.deep.equal({ type: 'BASIC', username: 'ada', password: wrapped(password) });
    });
  }

  for (const [what, mark] of Object.entries(UNSENDABLE)) {
    it(`with ${what} are refused at the import, with the field's name and not with its value`, async () => {
      const key = canary('API key');
      for (const [integration, type, name] of [
        ['keyed', 'API_KEY', 'apiKey'],
        ['oauth', 'OAUTH2', 'access_token'],
      ] as const) {
        const before = await app.database.db('connections').count();
        const refused = await store(integration, { type, [name]: `${key}${mark}${key}` });
        expectError(refused, 'invalid_body', ['credentials', name]);
        expect(refused.text).not.to.contain(key);
        expect(await app.database.db('connections').count()).to.deep.equal(before);
      }
    });
  }

  it('of an app are stored without such characters around them, too', async () => {
    const secret = canary('client secret');
    const created = await app.api.post('/integrations', {
      unique_key: 'pasted',
      provider: 'github',
      credentials: { type: 'OAUTH2', client_id: '\u200bclient\ufeff', client_secret: ` ${secret}\u200b\n` },
    });
    expect(created.status, created.text).to.equal(200);
    const { body } = await app.api.get('/integrations/pasted?include=credentials');
    expect(body.data.credentials).to.deep.include({ client_id: 'client', client_secret: secret });
  });
});
