import { expect } from 'chai';
import { createOutbound } from '../../../core/kit/outbound.ts';
import { CALL_HEADERS, OVERRIDE_KEY, PROXY_KEY, startProxy } from '../../support/proxy-harness.ts';
import { RecordingDialler } from '../../support/recording-dialler.ts';
import { use } from '../../support/use.ts';
import { words } from '../../support/words.ts';

const LISTED = ['files.example.com', 'eu.example.com:8443'];

/** Look-alikes of the listed hosts, and hosts that are simply not listed. */
const REFUSED = [
  ...words`
    https://evil.example https://example.com https://sub.files.example.com https://files.example.com.evil.example
    https://evil-files.example.com https://files.example.com. https://files.example.com./ https://files.example.com%2e/
    https://FILES.example.com https://files.Example.COM/ HTTPS://files.example.com/ https://files.example.com:443
    https://files.example.com:444 https://files.example.com:8443 https://files.example.com:0443/ https://eu.example.com
    https://eu.example.com:443 https://eu.example.com:08443 https://eu.example.com:84430 https://user@files.example.com
    https://user:pass@files.example.com/ https://files.example.com@evil.example https://files.example.com:x@evil.example/
    https://@files.example.com/ https://evil.example\@files.example.com https://evil.example#@files.example.com
    https://evil.example?@files.example.com https://evil.example/files.example.com https://files.example.com\evil.example
    https:files.example.com https:/files.example.com https:///files.example.com https:\\files.example.com //files.example.com
    files.example.com https://files.example。com https://files.example．com https://fіles.example.com
    https://xn--fles-vpa.example.com https://ｆiles.example.com https://fi%6ces.example.com https://files%00.example.com
    http://files.example.com@127.0.0.1 ftp://files.example.com file:///etc/passwd javascript:alert(1) ws://files.example.com
    https://files.example.com?x=1 https://files.example.com/#x https://127.0.0.1 https://[::1] https://2130706433
    https://localhost https://169.254.169.254/latest/meta-data
  `,
  'https://ﬁles.example.com',
  'https://files\u00ad.example.com',
  'not a url',
];

describe('Base-Url-Override (PRX-02)', function () {
  const dialler = new RecordingDialler();
  const proxy = use(this, () => {
    const outbound = createOutbound({ allow: [], dial: dialler.dial, resolve: async () => ['93.184.216.34'] });
    const integrationConfig = { allowed_hosts: LISTED.join(', ') };
    return startProxy({ outbound, integrationConfig, proxy: { base_url: 'https://api.example.com/v1' } });
  });
  const call = (key: string, override: string) => {
    const bytes = Buffer.from(override, 'utf8').toString('latin1');
    const headers = { ...CALL_HEADERS, authorization: `Bearer ${key}`, 'base-url-override': bytes };
    return proxy.edge.as().get('/proxy/items', { headers });
  };

  beforeEach(() => dialler.dials.splice(0));

  for (const override of REFUSED) {
    it(`refuses ${JSON.stringify(override)} before anything is dialled`, async () => {
      const response = await call(OVERRIDE_KEY, override);
      expect(response.status).to.equal(400);
      expect(response.headers.get('svc-error')).to.equal('base_url_override_not_allowed');
      expect(dialler.dials).to.deep.equal([]);
    });
  }

  for (const override of ['https://files.example.com', 'https://api.example.com', 'https://evil.example']) {
    it(`refuses ${override} to a key without the scope before anything is dialled`, async () => {
      const response = await call(PROXY_KEY, override);
      expect(response.status).to.equal(403);
      expect(response.body.error.message).to.include('environment:proxy:override');
      expect(dialler.dials).to.deep.equal([]);
    });
  }

  it('refuses plain http to a listed host, which no setting allows', async () => {
    const response = await call(OVERRIDE_KEY, 'http://files.example.com');
    expect(response.headers.get('svc-error')).to.equal('address_not_allowed');
    expect(dialler.dials).to.deep.equal([]);
  });

  for (const [override, host, port] of [
    ['https://files.example.com', 'files.example.com', 443],
    ['https://eu.example.com:8443/v2', 'eu.example.com', 8443],
    ['https://api.example.com/other', 'api.example.com', 443],
    ['', 'api.example.com', 443],
  ] as const) {
    it(`dials ${host} for ${JSON.stringify(override)}`, async () => {
      await call(OVERRIDE_KEY, override);
      expect(dialler.dials.map((dial) => [dial.host, dial.port])).to.deep.equal([[host, port]]);
    });
  }
});
