import { expect } from 'chai';
import { ExistingClient } from '../../support/existing-client.ts';
import { ExistingFrontend } from '../../support/existing-frontend.ts';
import { rawServer } from '../../support/raw-tcp.ts';
import { use } from '../../support/use.ts';

const ANSWER = [
  'HTTP/1.1 200 OK',
  'Content-Type: application/json',
  'Access-Control-Allow-Origin: *',
  'Access-Control-Allow-Headers: Content-Type',
  'Content-Length: 2',
  'Connection: close',
  '\r\n{}',
].join('\r\n');
const ADDRESS = { providerConfigKey: 'a key', connectionId: `a,.;:=+~[]|@\${}"' b` };
const UNSET = 'refresh_token=false&refresh_github_app_jwt_token=false';
const JSON_TYPE = 'Content-Type: application/json';

describe('the stand-ins for clients of another product', function () {
  const server = use(this, () => rawServer(ANSWER));

  const options = () => ({ host: `http://127.0.0.1:${server.port}/`, apiKey: 'the-key', prefix: 'Acme' });

  /** The head of the last request, line by line. */
  const sent = () => (server.received.at(-1) ?? '').toString().split('\r\n\r\n')[0]?.split('\r\n') ?? [];

  const LINES: Readonly<Record<string, readonly [act: (client: ExistingClient) => Promise<unknown>, line: string]>> = {
    'IDs that are escaped only where URLs demand it': [
      (client) => client.getConnection('a key', ADDRESS.connectionId, { forceRefresh: true }),
      `GET /connections/a,.;:=+~[]|@$%7B%7D%22'%20b?provider_config_key=a+key&force_refresh=true&${UNSET}`,
    ],
    'brackets and commas that are escaped': [
      (client) =>
        client.listConnections({ integrationId: ['a', 'b'], tags: { displayName: 'A b', Team: '+' }, limit: 1, page: 0 }),
      'GET /connections?integrationId=a%2Cb&tags%5Bend_user_display_name%5D=A+b&tags%5Bteam%5D=%2B&limit=1&page=0',
    ],
    'the last of several things to include': [
      (client) => client.getIntegration({ uniqueKey: 'a key@' }, ['webhook', 'credentials']),
      'GET /integrations/a%20key%40?include=credentials',
    ],
    'a key that is escaped only where URLs demand it': [
      (client) => client.deleteConnection('a key:@', 'id'),
      'DELETE /connections/id?provider_config_key=a%20key:@',
    ],
  };
  for (const [what, [act, line]] of Object.entries(LINES)) {
    it(`send ${what}`, async () => {
      await act(new ExistingClient(options()));
      expect(sent()[0]).to.equal(`${line} HTTP/1.1`);
    });
  }

  it('announce a type without a body, and leave out what is false', async () => {
    await new ExistingClient(options()).deleteConnection('k', 'id');
    expect(sent()).to.include.members([
      'Accept: application/json, text/plain, */*',
      'Accept-Encoding: gzip, compress, deflate, br',
      'Authorization: Bearer the-key',
      JSON_TYPE,
    ]);
    expect(sent().join()).to.match(/User-Agent: acme-node-client\/\S+ \(\S+; node\.js\/\S+\)/);
    expect(sent().filter((line) => /^(acme-|content-length|transfer-encoding)/i.test(line))).to.deep.equal([]);
  });

  it('tell the proxy what they want in headers, empty ones too', async () => {
    const more = { headers: { 'X-Own': '1', 'Content-Type': 'text/csv' }, retries: 2, retryOn: [418, 404], decompress: true };
    const client = new ExistingClient({ ...options(), isSync: true });
    await client.proxy({ ...ADDRESS, ...more, endpoint: 'a', method: 'POST', data: 'x', params: { at: '10:30' } });
    expect(sent()[0]).to.equal('POST /proxy/a?at=10:30 HTTP/1.1');
    expect(sent()).to.include.members([
      `Connection-Id: ${ADDRESS.connectionId}`,
      'Provider-Config-Key: a key',
      'Base-Url-Override: ',
      'Acme-Activity-Log-Id: ',
      'Acme-Is-Sync: true',
      'Acme-Proxy-X-Own: 1',
      'Acme-Proxy-Content-Type: text/csv',
      'Content-Type: text/csv',
      'Retries: 2',
      'Retry-On: 418,404',
      'Decompress: true',
    ]);
  });

  it('send pages’ requests with a type and nothing else, and with bare brackets', async () => {
    const frontend = new ExistingFrontend({
      ...options(),
      host: options().host.slice(0, -1),
      origin: 'null',
      connectSessionToken: 't',
    });
    await frontend.create('a key', { params: { 'a b': 'c&d' } });
    expect(sent()[0]).to.equal('POST /auth/unauthenticated/a%20key?connect_session_token=t&params[a%20b]=c%26d HTTP/1.1');
    const names = sent()
      .slice(1)
      .map((line) => line.split(':')[0]?.toLowerCase());
    expect(names).to.have.members(['origin', 'accept', 'content-type', 'content-length', 'host', 'connection']);
    expect(sent()).to.include(JSON_TYPE);
  });
});
