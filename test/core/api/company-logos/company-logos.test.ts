import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { CompanyLogos } from '../../../../core/api/company-logos/company-logos.ts';
import { iconLinks } from '../../../../core/api/company-logos/fetch-logo.ts';
import { createOutbound } from '../../../../core/kit/outbound.ts';
import { startApp } from '../../../support/app.ts';
import { serve } from '../../../support/loopback-server.ts';
import { storeConnection, storeIntegration } from '../../../support/stored.ts';
import { TestNet } from '../../../support/test-net.ts';
import { use } from '../../../support/use.ts';

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100)]);
const ICO = Buffer.from([0, 0, 1, 0, 1, 0, 16, 16]);
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const HTML = '<!doctype html><link rel="icon" href="/icon">';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;
const sends =
  (body: string | Buffer, type = 'text/html'): Answer =>
  (response) =>
    response.writeHead(200, { 'content-type': type }).end(body);
const leadsTo =
  (location: string): Answer =>
  (response) =>
    response.writeHead(302, { location }).end();
const endless: Answer = (response) => {
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536, PNG)));
  };
  response.on('drain', more).writeHead(200);
  more();
};
const silent: Answer = () => undefined;

type Site = Readonly<Record<string, Answer>>;

/** The responses of a company's site by path, and the logo that the service takes from them; undefined if it takes none. */
const SITES: Readonly<Record<string, readonly [Site, Buffer | undefined]>> = {
  'the icon for home screens before others': [
    {
      '/': sends('<LINK REL=icon HREF=/icon><link rel="apple-touch-icon" href="touch.png">'),
      '/touch.png': sends(PNG),
      '/icon': sends(ICO),
    },
    PNG,
  ],
  'the largest of several icons': [
    {
      '/': sends(`<link rel='shortcut icon' href='/s' sizes=16x16><link rel="icon" sizes="192x192" href="/l?a=1&amp;b=2">`),
      '/s': sends(ICO),
      '/l?a=1&b=2': sends(PNG),
    },
    PNG,
  ],
  'one of the manifest': [
    {
      '/': sends('<link rel="manifest" href="/app/m.json">'),
      '/app/m.json': sends('{"icons":[{"src":"s","sizes":"48x48"},{"src":"l","sizes":"512x512"}]}'),
      '/app/l': sends(PNG),
    },
    PNG,
  ],
  'favicon.ico where the page names none': [{ '/': sends('<p>hello'), '/favicon.ico': sends(ICO, 'text/plain') }, ICO],
  'favicon.ico where the page fails': [{ '/': (response) => response.writeHead(500).end(), '/favicon.ico': sends(ICO) }, ICO],
  'the next where one is no image': [
    { '/': sends('<link rel=icon href=/a><link rel=icon href=/b>'), '/a': sends(SVG, 'image/png'), '/b': sends(PNG) },
    PNG,
  ],
  'nothing of an SVG image': [{ '/': sends(HTML), '/icon': sends(SVG, 'image/svg+xml') }, undefined],
  'nothing of a page in place of an image': [{ '/': sends(HTML), '/icon': sends(HTML, 'image/png') }, undefined],
  'nothing of more than 256 KB': [{ '/': sends(HTML), '/icon': sends(Buffer.concat([PNG, Buffer.alloc(262_144)])) }, undefined],
  'nothing of an endless image': [{ '/': sends(HTML), '/icon': endless }, undefined],
  'nothing of an endless page': [{ '/': endless }, undefined],
  'nothing of a site that is silent': [{ '/': silent, '/favicon.ico': silent }, undefined],
  'nothing of a manifest that is none': [
    { '/': sends('<link rel=manifest href=/m>'), '/m': sends('{"icons":{"src":1}}') },
    undefined,
  ],
  'nothing that is elsewhere': [{ '/': sends('<link rel=icon href="https://stranger.example/i">') }, undefined],
  'nothing by plain http or another port': [
    { '/': sends('<link rel=icon href="http://HOST/i"><link rel=icon href="https://HOST:8443/i">'), '/i': sends(PNG) },
    undefined,
  ],
  'nothing behind a redirect to elsewhere': [{ '/': sends(HTML), '/icon': leadsTo('https://stranger.example/i') }, undefined],
  'nothing behind a redirect to an inner address': [
    { '/': leadsTo('https://169.254.169.254/latest'), '/favicon.ico': leadsTo('https://127.0.0.1/') },
    undefined,
  ],
  'nothing of an own name with an inner address': [{ '/': leadsTo('https://inner.HOST/') }, undefined],
  'nothing behind redirects without end': [{ '/': leadsTo('/'), '/favicon.ico': leadsTo('/favicon.ico') }, undefined],
  'what is at www of the domain': [{ '/': leadsTo('https://www.HOST/home'), '/home': sends(HTML), '/icon': sends(PNG) }, PNG],
};

describe('the logo of an end user’s company', function () {
  this.timeout(30_000);
  const net = new TestNet();
  const sites = new Map<string, Site>();
  const requests: string[] = [];
  const server = use(this, () =>
    serve((request, response) => {
      const host = request.headers.host ?? '';
      requests.push(`${host}${request.url}`);
      const domain = host.replace('www.', '');
      const answer = sites.get(domain)?.[request.url ?? ''];
      if (answer === undefined) response.writeHead(404).end('not found');
      else answer(response, request);
    }),
  );
  const app = use(this, () => startApp({ net }));
  const outbound = use(this, async () => createOutbound({ allow: [], resolve: net.resolve, dial: net.dial }));
  const logos = (from = 'own') => new CompanyLogos({ db: app.services.db, outbound, from, totalMs: 700 });
  let count = 0;

  const addSite = async (site: Site): Promise<string> => {
    count += 1;
    const domain = `company${count}.example`;
    for (const name of [domain, `www.${domain}`]) net.add(name, server.url);
    net.names.script(`inner.${domain}`, ['10.0.0.1']);
    sites.set(domain, replaced(site, domain));
    await storeConnection(app, { key: 'plain', connectionId: domain, tags: { end_user_email: `Jane@${domain}` } });
    return domain;
  };

  before(async () => {
    await storeIntegration(app.api, 'plain');
  });

  for (const [what, [site, expected]] of Object.entries(SITES)) {
    it(`is ${what}`, async () => {
      const domain = await addSite(site);
      const found = await logos().find(1, domain);
      expect(found?.image.toString('latin1')).to.equal(expected?.toString('latin1'));
      expect(net.strangers().filter((host) => host !== `inner.${domain}`)).to.deep.equal([]);
      expect(net.dials.filter(({ address }) => /^(?:10|127|169)\./.test(address))).to.deep.equal([]);
    });
  }

  it('is fetched once for concurrent callers and kept for 30 days, and so is the fact that a site has none', async () => {
    const [has, none] = [await addSite({ '/favicon.ico': sends(PNG) }), await addSite({})];
    const one = logos();
    const asked = () => requests.filter((url) => url.startsWith(has) || url.startsWith(none)).length;
    const found = await Promise.all([has, has, none, has].map((domain) => one.find(1, domain)));
    expect(found.map((logo) => logo?.type)).to.deep.equal(['image/png', 'image/png', undefined, 'image/png']);
    expect(asked()).to.equal(4);
    for (const domain of [has, none]) await logos().find(1, domain.toUpperCase());
    expect(asked()).to.equal(4);
    await app.services.db('company_logos').update({ fetched_at: app.services.db.raw("now() - interval '31 days'") });
    sites.set(none, { '/favicon.ico': sends(ICO) });
    expect((await logos().find(1, none))?.type).to.equal('image/x-icon');
  });

  it('is fetched only for domains of the environment’s end users, and never for free-mail domains or while logos are off', async () => {
    const domain = await addSite({ '/favicon.ico': sends(PNG) });
    const before = requests.length + net.dials.length;
    await storeConnection(app, { key: 'plain', connectionId: 'free', tags: { end_user_email: 'jane@gmail.com' } });
    for (const other of [
      `www.${domain}`,
      'stranger.example',
      'gmail.com',
      '127.0.0.1',
      'localhost',
      `${domain}/x`,
      `${domain}:8443`,
      '',
    ])
      expect(await logos().find(1, other), other).to.equal(undefined);
    expect(await logos().find(2, domain)).to.equal(undefined);
    expect(await logos('off').find(1, domain)).to.equal(undefined);
    await app.services.db('connections').where({ connection_id: domain }).update({ deleted_at: new Date() });
    expect(await logos().find(1, domain)).to.equal(undefined);
    expect(requests.length + net.dials.length).to.equal(before);
  });

  it('comes from the logo service that the operator configured', async () => {
    const domain = await addSite({});
    net.add('logos.example', server.url);
    sites.set('logos.example', { [`/${domain}?size=64`]: sends(PNG) });
    expect((await logos('https://logos.example/{domain}?size=64').find(1, domain))?.type).to.equal('image/png');
    expect(requests.filter((url) => url.startsWith(domain))).to.deep.equal([]);
  });

  it('is looked for in little time, whatever the page contains', () => {
    for (const text of ['<link ', '<link rel=', '<link rel="', ' rel=x', '<link rel=icon href=x>']) {
      const beganMs = performance.now();
      iconLinks(text.repeat(262_144 / text.length));
      expect(performance.now() - beganMs, text).to.be.below(500);
    }
  });
});

/** Returns the site with `HOST` in its responses replaced by the domain. */
function replaced(site: Site, domain: string): Site {
  const answers = Object.entries(site).map(([path, answer]): [string, Answer] => [
    path,
    (response, request) => {
      const [end, writeHead] = [response.end.bind(response), response.writeHead.bind(response)];
      const named = (text: unknown) => (typeof text === 'string' ? text.replaceAll('HOST', domain) : text);
      response.end = ((body: unknown) => end(named(body) as string)) as ServerResponse['end'];
      response.writeHead = ((status: number, headers: Readonly<Record<string, string>> = {}) =>
        writeHead(
          status,
          Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(named(value))])),
        )) as ServerResponse['writeHead'];
      answer(response, request);
    },
  ]);
  return Object.fromEntries(answers);
}
