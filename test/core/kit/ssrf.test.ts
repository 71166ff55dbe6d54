import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { expect } from 'chai';
import { request as exchange } from 'undici';
import { createOutbound, type Outbound, OutboundError, toOutboundError } from '../../../core/kit/outbound.ts';
import { freePort } from '../../support/free-port.ts';
import { HostileResolver } from '../../support/hostile-resolver.ts';
import { INNER_ADDRESSES, INNER_NETWORK, PUBLIC_ADDRESSES, THIS_MACHINE } from '../../support/inner-hosts.ts';
import { rawServer } from '../../support/raw-tcp.ts';
import { RecordingDialler } from '../../support/recording-dialler.ts';
import { isLong } from '../../support/size.ts';
import { skipBecause } from '../../support/skip.ts';
import { words } from '../../support/words.ts';

interface Origin {
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
}

type Door = (outbound: Outbound, origin: Origin) => Promise<unknown>;

/** The ways in which the service opens a socket, all of which pass the address guard. */
const DOORS: Readonly<Record<string, Door>> = {
  'a bounded call': (outbound, { scheme, host, port }) => outbound.call(`${scheme}://${host}:${port}/`),
  'the dispatcher': async (outbound, { scheme, host, port }) => {
    const url = URL.parse(`${scheme}://${host}:${port}/`);
    if (url === null) throw new OutboundError('address_not_allowed', 'no such URL can be dispatched');
    return await exchange(url, { dispatcher: outbound.dispatcher });
  },
  'the agent for upgrades': async (outbound, { scheme, host, port }) => {
    const request = scheme === 'https' ? httpsRequest : httpRequest;
    // The host header is not the tested host, because Node refuses some of the tested spellings in a header.
    const options = { host: host.replace(/^\[(.*)\]$/, '$1'), port, headers: { host: 'x' }, agent: outbound.agent(`${scheme}:`) };
    await once(request(options).end(), 'response');
  },
};

const ORIGINS: readonly Origin[] = [...THIS_MACHINE, ...INNER_NETWORK].flatMap((host) => [
  { scheme: 'https', host, port: 443 },
  { scheme: 'http', host, port: 8080 },
]);

async function faultOf(attempt: () => unknown): Promise<OutboundError | undefined> {
  try {
    await attempt();
    return undefined;
  } catch (error) {
    return toOutboundError(error);
  }
}

async function notRefused<T>(cases: readonly T[], attempt: (item: T) => Promise<unknown>): Promise<readonly T[]> {
  const faults = await Promise.all(cases.map((item) => faultOf(() => attempt(item))));
  return cases.filter((_, index) => faults[index]?.code !== 'address_not_allowed');
}

describe('inner addresses (SSRF-01)', () => {
  it('are tried in at least 120 spellings', () => {
    expect(new Set([...THIS_MACHINE, ...INNER_NETWORK]).size).to.be.at.least(120);
  });

  it('are refused by the check', async () => {
    await using outbound = createOutbound({ allow: [] });
    const urls = ORIGINS.map(({ scheme, host, port }) => URL.parse(`${scheme}://${host}:${port}/`)).filter((url) => url !== null);
    expect(await notRefused(urls, async (url) => outbound.check(url))).to.deep.equal([]);
  });

  for (const [name, open] of Object.entries(DOORS)) {
    it(`are not dialled through ${name}`, async () => {
      const dialler = new RecordingDialler();
      await using outbound = createOutbound({ allow: [], dial: dialler.dial, resolve: new HostileResolver().resolve });
      expect(await notRefused(ORIGINS, (origin) => open(outbound, origin))).to.deep.equal([]);
      expect(dialler.dials).to.deep.equal([]);
    });

    it(`are not dialled through ${name} when a name resolves to one, alone or among public ones`, async () => {
      const dialler = new RecordingDialler();
      const resolver = new HostileResolver();
      const names = INNER_ADDRESSES.flatMap((address, index) => {
        resolver.script(`alone${index}.test`, [address]);
        resolver.script(`first${index}.test`, [address, ...PUBLIC_ADDRESSES]);
        resolver.script(`last${index}.test`, [...PUBLIC_ADDRESSES, address]);
        return [`alone${index}.test`, `first${index}.test`, `last${index}.test`];
      });
      await using outbound = createOutbound({ allow: [], dial: dialler.dial, resolve: resolver.resolve });
      expect(await notRefused(names, (host) => open(outbound, { scheme: 'https', host, port: 443 }))).to.deep.equal([]);
      expect(resolver.queries).to.have.members(names);
      expect(dialler.dials).to.deep.equal([]);
    });

    it(`let a public address be dialled through ${name}`, async () => {
      const dialler = new RecordingDialler();
      await using outbound = createOutbound({ allow: [], dial: dialler.dial });
      const fault = await faultOf(() => open(outbound, { scheme: 'https', host: PUBLIC_ADDRESSES[0], port: 8443 }));
      expect(fault?.code).to.equal('unreachable');
      expect(dialler.dials.map(({ address, port, tls }) => ({ address, port, tls }))).to.deep.equal([
        { address: PUBLIC_ADDRESSES[0], port: 8443, tls: true },
      ]);
    });

    it(`never reach a listener of this machine through ${name}`, async () => {
      await using sentinel = await rawServer('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      const resolver = new HostileResolver().script('localhost', ['127.0.0.1']).script('localhost.', ['127.0.0.1']);
      await using guarded = createOutbound({ allow: [], resolve: resolver.resolve });
      const hosts = [...THIS_MACHINE, 'localhost', 'localhost.', 'LOCALHOST'];
      const origins = hosts.map((host) => ({ scheme: 'http', host, port: sentinel.port }));
      const secure = origins.map((origin) => ({ ...origin, scheme: 'https' }));
      expect(await notRefused([...origins, ...secure], (origin) => open(guarded, origin))).to.deep.equal([]);
      expect(sentinel.connections).to.equal(0);

      await using opened = createOutbound({ allow: ['127.0.0.1'] });
      await open(opened, { scheme: 'http', host: '127.0.0.1', port: sentinel.port });
      expect(sentinel.connections).to.equal(1);
    });
  }

  it('are refused alike whether their port is open or closed', async () => {
    await using sentinel = await rawServer('');
    const closedPort = await freePort();
    await using outbound = createOutbound({ allow: [] });
    const [open, closed] = await Promise.all(
      [sentinel.port, closedPort].map((port) => faultOf(() => outbound.call(`https://127.0.0.1:${port}/`))),
    );
    expect({ ...open, message: open?.message, cause: open?.cause }).to.deep.equal({
      ...closed,
      message: closed?.message,
      cause: closed?.cause,
    });
  });

  it('are refused in the same time whether their port is open or closed', async function () {
    if (!isLong) skipBecause(this, 'measures 1,000 calls; TEST_SIZE=long');
    await using sentinel = await rawServer('');
    const closedPort = await freePort();
    await using outbound = createOutbound({ allow: [] });
    const times = { open: [] as number[], closed: [] as number[] };
    for (let round = 0; round < 500; round++) {
      times.open.push(await durationOf(() => outbound.call(`https://127.0.0.1:${sentinel.port}/`)));
      times.closed.push(await durationOf(() => outbound.call(`https://127.0.0.1:${closedPort}/`)));
    }
    expect(Math.abs(median(times.open) - median(times.closed))).to.be.below(20);
  });
});

describe('names that change their mind (DNS rebinding)', () => {
  it('are looked up once for each connection, and the address that was checked is dialled', async () => {
    const dialler = new RecordingDialler();
    const resolver = new HostileResolver().script('rebind.test', [PUBLIC_ADDRESSES[0]], ['127.0.0.1']);
    await using outbound = createOutbound({ allow: [], dial: dialler.dial, resolve: resolver.resolve });
    const codes: (string | undefined)[] = [];
    for (let call = 0; call < 6; call++) codes.push((await faultOf(() => outbound.call('https://rebind.test/')))?.code);

    expect(codes).to.deep.equal(Array.from({ length: 3 }, () => ['unreachable', 'address_not_allowed']).flat());
    expect(resolver.queries).to.have.length(6);
    expect(dialler.dials.map(({ address }) => address)).to.deep.equal(Array(3).fill(PUBLIC_ADDRESSES[0]));
  });

  it('are refused when they have inner IPv6 addresses only', async () => {
    const dialler = new RecordingDialler();
    const resolver = new HostileResolver().script('six.test', ['fd00:ec2::254', '::1']);
    await using outbound = createOutbound({ allow: [], dial: dialler.dial, resolve: resolver.resolve });
    expect((await faultOf(() => outbound.call('https://six.test/')))?.code).to.equal('address_not_allowed');
    expect(dialler.dials).to.deep.equal([]);
  });
});

const FORBIDDEN_URLS = [
  ...words`
    file:///etc/passwd gopher://example.com/_x ftp://example.com/ ws://example.com/ wss://example.com/ data:,x
    unix:/var/run/docker.sock http+unix://%2Fvar%2Frun%2Fdocker.sock/ http://unix:/var/run/docker.sock:/x
    blob:https://example.com/1 javascript:1 about:blank http://example.com/ http://example.com:443/ HTTP://EXAMPLE.COM/
    //example.com/ https:// https://./ https://user@example.com/ https://user:secret@example.com/ https://:secret@example.com/
    https://example.com@127.0.0.1/ https://example.com\@127.0.0.1/ https:\\127.0.0.1/ https:127.0.0.1/ https://127.0.0.1:22/
    https://127.0.0.1:5432/ https://127.0.0.1#@example.com/ https://127.0.0.1?@example.com/
  `,
  'not a url',
  '',
  'https://127.0.0.1\t/',
];

describe('other schemes, user info and tricks of spelling', () => {
  it('are refused before anything is looked up', async () => {
    const dialler = new RecordingDialler();
    const resolver = new HostileResolver().script('example.com', [PUBLIC_ADDRESSES[0]]);
    await using outbound = createOutbound({ allow: [], dial: dialler.dial, resolve: resolver.resolve });
    const strays = await notRefused(FORBIDDEN_URLS, (url) => outbound.call(url));
    // A backslash counts as a slash in these URLs (WHATWG URL), so the host is example.com and the rest is its path.
    expect(strays).to.deep.equal(['https://example.com\\@127.0.0.1/']);
    expect(resolver.queries).to.deep.equal(['example.com']);
    expect(dialler.dials.map(({ address }) => address)).to.deep.equal([PUBLIC_ADDRESSES[0]]);
  });
});

describe('redirects (SSRF-03)', () => {
  it('are handed to the caller and never followed', async () => {
    await using sentinel = await rawServer('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    const inner = `127.0.0.1:${sentinel.port}`;
    const targets = words`
      http://${inner}/ https://${inner}/ //${inner}/ http://localhost:${sentinel.port}/ http://[::ffff:7f00:1]:${sentinel.port}/
      http://169.254.169.254/latest/ file:///etc/passwd gopher://${inner}/_GET http://unix:/var/run/docker.sock:/x / ?again
    `;
    for (const status of [301, 302, 303, 307, 308]) {
      for (const target of targets) {
        await using provider = await rawServer(
          `HTTP/1.1 ${status} Moved\r\nLocation: ${target}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
        );
        await using outbound = createOutbound({ allow: ['127.0.0.1'] });
        const url = `http://127.0.0.1:${provider.port}/`;
        const called = await outbound.call(url, { method: 'POST', headers: { authorization: 'Bearer secret' }, body: 'a=b' });
        const dispatched = await exchange(url, { dispatcher: outbound.dispatcher });

        expect([called.status, dispatched.statusCode]).to.deep.equal([status, status]);
        expect([called.headers['location'], dispatched.headers['location']]).to.deep.equal([target, target]);
        expect(provider.connections).to.equal(2);
      }
    }
    expect(sentinel.connections).to.equal(0);
  });
});

async function durationOf(attempt: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await faultOf(attempt);
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
