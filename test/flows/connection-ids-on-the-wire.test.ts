import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { canary, rememberSecret } from '../support/canaries.ts';
import { ExistingClient } from '../support/existing-client.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { rawExchange } from '../support/raw-tcp.ts';
import { use } from '../support/use.ts';

/** Characters, besides letters and digits, that IDs of connections may contain in other products. */
const ODD = [...',.;:=+~[]|@${}"\'\\/_ -'];
/** Characters that need escapes in a request line: a slash separates segments, and a space ends the target (RFC 9112 §3.2). */
const ALWAYS_ESCAPED: Readonly<Record<string, string>> = { '/': '%2F', ' ': '%20' };
/** Characters that URL parsers confuse, because they turn a backslash into a slash. */
const LOST_IN_URLS = ['/', '\\'];

const KEY = 'odd';
const idWith = (mark: string) => `a${mark}b`;
const nameOf = (mark: string) => (mark === ' ' ? 'a blank' : mark);

function bare(id: string): string {
  return id.replaceAll(/[/ ]/g, (mark) => ALWAYS_ESCAPED[mark] ?? mark);
}

describe('IDs of connections on the wire', function () {
  const provider = use(this, startFakeProvider);
  const app = use(this, () => startApp({ env: { SVC_CLIENT_PREFIX: 'Acme' } }));

  before(async () => {
    provider.settings.openApi = true;
    const integration = {
      unique_key: KEY,
      provider: 'generic-oauth',
      integration_config: {
        authorization_url: provider.authorizationUrl,
        token_url: provider.tokenUrl,
        api_base_url: `${provider.url}/api`,
      },
    };
    expect((await app.api.post('/integrations', integration)).status).to.equal(200);
  });

  beforeEach(() => app.database.db('connections').delete());

  async function store(connectionId: string): Promise<void> {
    const credentials = { type: 'OAUTH2', access_token: canary('access token') };
    const input = { provider_config_key: KEY, connection_id: connectionId, credentials };
    expect((await app.api.post('/connections', input)).status).to.equal(200);
  }

  /** Sends one request byte for byte. @returns the status and the body of the response */
  async function exchange(line: string, headers: readonly string[] = [], body = '') {
    const head = [
      `${line} HTTP/1.1`,
      `Host: ${new URL(app.url).host}`,
      `Authorization: Bearer ${app.apiKey}`,
      'Content-Type: application/json',
      'Connection: close',
      ...headers,
      ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ];
    const { bytes } = await rawExchange(Number(new URL(app.url).port), `${head.join('\r\n')}\r\n\r\n${body}`);
    const [responseHead = '', text = ''] = bytes.toString().split('\r\n\r\n');
    return { status: Number(responseHead.split(' ')[1]), body: JSON.parse(text) };
  }

  /** Sends requests of every kind that names a connection, and asserts that each finds the connection with this ID. */
  async function useOnTheWire(id: string, written: string): Promise<void> {
    const query = `provider_config_key=${KEY}`;
    const path = `/connections/${written}?${query}`;
    expect((await exchange(`GET ${path}`)).body).to.include({ connection_id: id });
    expect((await exchange(`PATCH ${path}`, [], '{"tags":{"a":"b"}}')).body).to.deep.equal({ success: true });
    const headers = [`Connection-Id: ${id}`, `Provider-Config-Key: ${KEY}`];
    expect((await exchange('GET /proxy/me', headers)).body).to.include({ name: 'Ada' });
    expect((await exchange(`DELETE ${path}`)).body).to.deep.equal({ success: true });
    expect((await exchange(`GET ${path}`)).body.error.code).to.equal('unknown_connection');
  }

  for (const mark of [...ODD, ODD.join('')]) {
    it(`may contain ${nameOf(mark)}, unescaped as far as HTTP permits`, async () => {
      await store(idWith(mark));
      await useOnTheWire(idWith(mark), bare(idWith(mark)));
    });
  }

  it('may be escaped', async () => {
    const id = idWith(ODD.join(''));
    await store(id);
    await useOnTheWire(id, encodeURIComponent(id));
  });

  const survivors = ODD.filter((mark) => !LOST_IN_URLS.includes(mark));
  for (const mark of [...survivors, survivors.join('')]) {
    it(`may contain ${nameOf(mark)} in requests of clients that escape nothing`, async () => {
      const id = idWith(mark);
      const client = new ExistingClient({ host: app.url, apiKey: app.apiKey, prefix: 'Acme' });
      await store(id);
      expect(await client.getConnection(KEY, id)).to.include({ connection_id: id });
      expect((await client.listConnections({ connectionId: id })).connections).to.have.length(1);
      await client.patchConnection({ connectionId: id, provider_config_key: KEY }, { tags: {} });
      await client.setMetadata(KEY, [id], { set: true });
      expect(await client.getMetadata(KEY, id)).to.deep.equal({ set: true });
      const proxied = await client.proxy({ endpoint: '/me', providerConfigKey: KEY, connectionId: id });
      expect(proxied.data).to.include({ name: 'Ada' });
      const session = await client.createReconnectSession({ connection_id: id, integration_id: KEY });
      expect(rememberSecret('connect session token', session.data.token)).to.match(/^svc_connect_session_/);
      expect((await client.deleteConnection(KEY, id)).data).to.deep.equal({ success: true });
    });
  }

  it('do not span several segments of a path', async () => {
    await store('a/b');
    expect((await exchange(`GET /connections/a/b?provider_config_key=${KEY}`)).body.error.code).to.equal('not_found');
  });
});
