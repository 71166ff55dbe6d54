import { expect } from 'chai';
import { canary } from '../support/canaries.ts';
import { createSession } from '../support/connect.ts';
import { makeFolders } from '../support/folders.ts';
import { type ClientResponse, client } from '../support/http-client.ts';
import { Installation, type RealService } from '../support/installation.ts';
import { serve } from '../support/loopback-server.ts';
import { use } from '../support/use.ts';

const ADDED = new URL('../support/added-auth-mode/added.ts', import.meta.url).href;
const KEY = 'vouched';
const DEFINITION = {
  display_name: 'Vouched',
  docs: 'https://docs.example.com',
  auth_mode: 'VOUCHER',
  token_url: '${integrationConfig.server}/token',
  integration_config: { server: { type: 'string', title: 'Server', format: 'uri' } },
  proxy: { base_url: '${integrationConfig.server}', headers: { 'x-token': '${credentials.token}' } },
};
const INCOMPLETE = { ...DEFINITION, token_url: undefined };

describe('an auth mode that is one folder and one line of the table', function () {
  this.timeout(60_000);
  const voucher = canary('voucher');
  const tokens: string[] = [];
  const provider = use(this, () =>
    serve((request, response) => {
      response.setHeader('content-type', 'application/json');
      if (request.url !== '/token') return void response.end(JSON.stringify(request.headers));
      tokens.push(canary(`token of a voucher ${tokens.length}`));
      response.end(JSON.stringify({ access_token: tokens.at(-1), expires_in: 3_600 }));
    }),
  );
  const folders = use(this, () =>
    makeFolders({
      [`${KEY}/provider.json`]: JSON.stringify(DEFINITION),
      'incomplete/provider.json': JSON.stringify(INCOMPLETE),
    }),
  );
  const installation = use(this, () => Installation.open());
  let service: RealService;

  before(async () => {
    service = await installation.startProcess({ NODE_OPTIONS: `--import=${ADDED}`, SVC_PROVIDERS_DIR: folders.path });
    bodyOf(
      await service.api.post('/integrations', { unique_key: KEY, provider: KEY, integration_config: { server: provider.url } }),
    );
  });

  it('may be named by definitions, with the members that it requires', async () => {
    const { body } = await service.api.get('/providers?auth_mode=VOUCHER&fields=name');
    expect(body.data).to.deep.equal([{ name: KEY }]);
  });

  it('is in the OpenAPI document, with its endpoint, its import and its credentials, and has a form', async () => {
    const { body } = await service.api.get('/openapi.json');
    expect(body.paths).to.have.property('/auth/voucher/{uniqueKey}');
    expect(body.paths['/auth/voucher/{uniqueKey}'].post.operationId).to.equal('connectWithVoucher');
    expect(JSON.stringify(body.components.schemas.Credentials)).to.include('VOUCHER');
    expect(JSON.stringify(body.components.schemas.ConnectionImport)).to.include('VOUCHER');
    const token = await createSession(service);
    const form = await client(service.url, token).get(`/connect/integrations/${KEY}`);
    expect(form.body.data).to.deep.include({ way: 'form', fields: [{ path: ['credentials', 'voucher'], title: 'Voucher' }] });
  });

  it('can be imported, read, used by the proxy, and refreshed', async () => {
    const credentials = { type: 'VOUCHER', voucher };
    const imported = bodyOf(await service.api.post('/connections', { provider_config_key: KEY, credentials }));
    await expectConnection(imported.connection_id);
  });

  it('connects with credentials that a user types in', async () => {
    const token = await createSession(service);
    const path = `/auth/voucher/${KEY}?connect_session_token=${token}`;
    const connected = bodyOf(await client(service.url).post(path, { voucher }));
    await expectConnection(connected.connectionId);
  });

  it('accepts the members of its schema and no others', async () => {
    for (const more of [{}, { voucher, another: 1 }]) {
      const response = await service.api.post('/connections', {
        provider_config_key: KEY,
        credentials: { type: 'VOUCHER', ...more },
      });
      expect(response.body.error?.code).to.equal('invalid_body');
    }
  });

  async function expectConnection(connectionId: string): Promise<void> {
    const path = `/connections/${connectionId}?provider_config_key=${KEY}`;
    const { credentials } = bodyOf(await service.api.get(path));
    expect(credentials).to.include({ type: 'VOUCHER', voucher, token: tokens.at(-1) });

    const headers = { 'connection-id': connectionId, 'provider-config-key': KEY };
    const proxied = bodyOf(await service.api.get('/proxy/me', { headers }));
    expect(proxied).to.include({ authorization: `Voucher ${tokens.at(-1)}`, 'x-token': tokens.at(-1) });

    const refreshed = bodyOf(await service.api.get(`${path}&force_refresh=true`));
    expect(refreshed.credentials.token).to.equal(tokens.at(-1)).and.not.equal(credentials.token);
  }
});

function bodyOf({ status, body, text }: ClientResponse) {
  if (status !== 200) throw new Error(`expected 200, got ${status}: ${text}`);
  return body;
}
