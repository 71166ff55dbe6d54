import { expect } from 'chai';
import { startApp, type TestApp } from '../support/app.ts';
import { type Connected, connect, readConnection, throughProxy } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { freePort } from '../support/free-port.ts';
import { INNER_ADDRESSES, INNER_NETWORK, PUBLIC_ADDRESSES, THIS_MACHINE } from '../support/inner-hosts.ts';
import { type NamedService, PROVIDER, startNamedService } from '../support/named-service.ts';
import { rawExchange, rawServer } from '../support/raw-tcp.ts';
import { isLong } from '../support/size.ts';
import { changeIntegrations } from '../support/stored.ts';
import { use } from '../support/use.ts';
import { deploy } from '../support/user-scripts.ts';

interface SeenAnswer {
  readonly status: number;
  readonly text: string;
}

interface Door {
  /** Makes the service call an address. Resolves with the response to the request that led to the call. */
  readonly open: (service: NamedService, address: string) => Promise<SeenAnswer>;
  /** The responses that count as refusals, each as a status and an error code or "page". */
  readonly refusals: readonly string[];
  /** One in this many addresses is tested. CI skips most if each takes an authorization: these are slow, and share one check. */
  readonly every: number;
}

const PROXY_REFUSALS = ['400 address_not_allowed', '400 missing_api_url'];
const ONE_IN_EIGHT = isLong ? 1 : 8;

const DOORS: Readonly<Record<string, Door>> = {
  'a proxied call': {
    open: async (service, address) => {
      const connected = await configured(service, { api_base_url: `${address}/api` });
      return throughProxy(service.app, connected, { path: '/me' });
    },
    refusals: PROXY_REFUSALS,
    every: 1,
  },
  'a WebSocket': {
    open: async (service, address) => upgrade(service, await configured(service, { api_base_url: `${address}/api` })),
    refusals: PROXY_REFUSALS,
    every: 1,
  },
  'a base URL of the call': {
    open: async (service, address) => {
      const url = URL.parse(address);
      const connected = await configured(service, { allowed_hosts: url?.host ?? address });
      const headers = { 'base-url-override': url?.origin ?? encodeURI(address) };
      return throughProxy(service.app, connected, { path: '/me', headers });
    },
    refusals: ['400 address_not_allowed', '400 base_url_override_not_allowed'],
    every: 1,
  },
  'a refresh': {
    open: async (service, address) => {
      const connected = await configured(service, { refresh_url: `${address}/token` });
      await expire(service.app);
      return readConnection(service.app, connected);
    },
    refusals: ['503 provider_unavailable'],
    every: ONE_IN_EIGHT,
  },
  'the exchange of a code': {
    open: async (service, address) => {
      const key = await integrated(service);
      await configure(service, key, { token_url: `${address}/token` });
      return service.walk(key);
    },
    refusals: ['400 page'],
    every: ONE_IN_EIGHT,
  },
  'a verification call': {
    open: async (service, address) => {
      const key = await integrated(service, { provider: 'verified', config: { api_base_url: PROVIDER } });
      await configure(service, key, { api_base_url: address });
      return service.walk(key);
    },
    refusals: ['400 page'],
    every: ONE_IN_EIGHT,
  },
  'a call of a script': {
    open: async (service, address) => {
      const { key } = await configured(service, { api_base_url: `${address}/api` });
      const credentials = { type: 'OAUTH2', access_token: 'a token that nobody gets' };
      const response = await service.app.api.post('/connections', { provider_config_key: key, credentials });
      return { status: response.status, text: `"code":"${response.body.error?.message}"` };
    },
    refusals: PROXY_REFUSALS,
    every: 1,
  },
  'the fetch of a plugin': {
    open: (service, address) => service.walk('fetching', { params: { address: `${address}/me` } }),
    refusals: ['400 page'],
    every: ONE_IN_EIGHT,
  },
};

/** A script that calls the provider and fails with the error code of that call. */
const CALLING = `export default async (svc) => {
  await svc.get({ endpoint: '/me' }).catch((error) => { throw new svc.ScriptError(error.code); });
};`;

const LITERALS = [...THIS_MACHINE, ...INNER_NETWORK].map((host, index) =>
  index % 2 === 0 ? `https://${host}` : `http://${host}:8080`,
);

/** Longer than the proxy caches the data of a connection. */
const CACHE_MS = 60_000;

let count = 0;

async function integrated({ integrate }: NamedService, input?: Parameters<NamedService['integrate']>[1]): Promise<string> {
  count += 1;
  const { status, text } = await integrate(`k${count}`, input);
  if (status !== 200) throw new Error(text);
  return `k${count}`;
}

/**
 * Stores a configuration without the API's checks, since a row may be older than these, and a name may resolve to any address.
 */
async function configure({ app }: NamedService, key: string, config: Readonly<Record<string, string>>): Promise<void> {
  const merged = app.database.db.raw('integration_config || ?::jsonb', [JSON.stringify(config)]);
  await changeIntegrations(app, { integration_config: merged }, key);
}

/** Makes the next use of a connection refresh its token, even during the pause that follows a failed refresh. */
async function expire({ database }: TestApp): Promise<void> {
  await database.db('connections').update({ expires_at: new Date('2020-01-01T00:00:00Z'), refresh_after: null });
}

/** Returns the tests' only connection after changing its integration and emptying the caches. */
async function configured(service: NamedService, config: Readonly<Record<string, string>>): Promise<Connected> {
  const connected = { connectionId: await firstConnection(service), key: 'generic' };
  await configure(service, connected.key, { api_base_url: PROVIDER, allowed_hosts: '', refresh_url: '', ...config });
  await service.app.clock.advance(CACHE_MS);
  return connected;
}

async function firstConnection({ app }: NamedService): Promise<string> {
  const { connection_id: connectionId } = await app.database.db('connections').first();
  return connectionId;
}

async function upgrade({ app }: NamedService, { key, connectionId }: Connected): Promise<SeenAnswer> {
  const lines = [
    'GET /proxy/socket HTTP/1.1',
    'Host: svc',
    `Authorization: Bearer ${app.apiKey}`,
    `Provider-Config-Key: ${key}`,
    `Connection-Id: ${connectionId}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ];
  const { bytes } = await rawExchange(Number(new URL(app.url).port), `${lines.join('\r\n')}\r\n\r\n`);
  const text = bytes.toString('latin1');
  return { status: Number(text.split(' ')[1]), text };
}

function gist({ status, text }: SeenAnswer): string {
  return `${status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? 'page'}`;
}

/** Returns the addresses for which the call was not refused, each with the response. */
async function served(service: NamedService, { open, refusals }: Door, addresses: readonly string[]): Promise<string[]> {
  const slipped: string[] = [];
  for (const address of addresses) {
    const response = gist(await open(service, address));
    if (!refusals.includes(response)) slipped.push(`${address}: ${response}`);
  }
  return slipped;
}

describe('inner addresses over the whole service (SSRF-01)', function () {
  this.timeout(120_000);
  const service = use(this, startNamedService);
  before(async () => {
    await service.integrate('generic');
    await service.connect('generic');
    await service.integrate('fetching', { provider: 'fetching' });
    await deploy(service.app, { event: 'validate-connection', source: CALLING, key: 'generic' });
  });
  beforeEach(() => service.net.dials.splice(0));

  for (const [name, door] of Object.entries(DOORS)) {
    it(`are not dialled by ${name}`, async () => {
      const addresses = LITERALS.filter((_, index) => index % door.every === 0);
      expect(await served(service, door, addresses)).to.deep.equal([]);
      expect(service.net.strangers()).to.deep.equal([]);
    });

    it(`are not dialled by ${name} when a name resolves to one, alone or among public ones`, async () => {
      const inner = INNER_ADDRESSES.filter((_, index) => index % door.every === 0);
      const addresses = inner.map((address, index) => {
        const among = [[address], [address, ...PUBLIC_ADDRESSES], [...PUBLIC_ADDRESSES, address]][index % 3] ?? [];
        service.net.names.script(`inner${index}.test`, among);
        return `https://inner${index}.test`;
      });
      expect(await served(service, door, addresses)).to.deep.equal([]);
      expect(service.net.strangers()).to.deep.equal([]);
      expect(service.net.names.queries).to.include('inner0.test');
    });

    it(`are distinguished by ${name} from public ones, which are dialled`, async () => {
      await door.open(service, `https://${PUBLIC_ADDRESSES[0]}`);
      expect(service.net.strangers()).to.deep.equal([PUBLIC_ADDRESSES[0]]);
    });
  }

  it('are refused when an integration is created with them', async () => {
    const responses = await Promise.all(
      ['token_url', 'refresh_url', 'api_base_url'].map((name) =>
        service.integrate(`literal-${name}`, { config: { [name]: 'http://169.254.169.254/latest' } }),
      ),
    );
    expect(responses.map(gist)).to.deep.equal(Array(3).fill('400 invalid_body'));
  });
});

describe('a port of this machine (SSRF-01)', () => {
  it('is reported alike whether it is open or closed, and gets no connection', async () => {
    await using sentinel = await rawServer('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi');
    await using provider = await startFakeProvider();
    const { host } = new URL(provider.url);
    await using app = await startApp({ env: { SVC_OUTBOUND_ALLOW: host } });
    const connected = await connect(app, provider);

    const configure = async (port: number) => {
      const config = JSON.stringify({ refresh_url: `http://127.0.0.1:${port}`, allowed_hosts: `127.0.0.1:${port}` });
      const merged = app.database.db.raw('integration_config || ?::jsonb', [config]);
      await changeIntegrations(app, { integration_config: merged });
      await app.clock.advance(CACHE_MS);
    };
    const doors = {
      proxy: (port: number) =>
        throughProxy(app, connected, { path: '/x', headers: { 'base-url-override': `http://127.0.0.1:${port}` } }),
      refresh: async () => {
        await expire(app);
        return readConnection(app, connected);
      },
    };
    for (const [door, open] of Object.entries(doors)) {
      const reported: string[] = [];
      for (const port of [sentinel.port, await freePort()]) {
        await configure(port);
        const { status, text } = await open(port);
        reported.push(`${status} ${text}`);
      }
      expect(reported[0], door).to.match(/^400 .*address_not_allowed|^503 .*provider_unavailable/);
      expect(reported[0], door).to.equal(reported[1]);
    }
    expect(sentinel.connections).to.equal(0);
    await fetch(`http://127.0.0.1:${sentinel.port}`);
    expect(sentinel.connections).to.equal(1);
  });
});
