import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import {
  requirePkce,
  type ServerMetadata,
  ServerMetadataCache,
  serverMetadata,
  UnusableDocument,
} from '../../../../../core/auth-modes/building-blocks/server-metadata/index.ts';
import { createOutbound } from '../../../../../core/kit/outbound.ts';
import { serve } from '../../../../support/loopback-server.ts';
import { use, useEach } from '../../../../support/use.ts';
import { tokenFailure } from '../token-endpoint/mode-input.ts';

type Members = Readonly<Record<string, unknown>>;
type Respond = (response: ServerResponse) => void;

const RFC_8414 = '/.well-known/oauth-authorization-server';
const OPENID = '/.well-known/openid-configuration';
const MIB = 1024 * 1024;
const TEN_MINUTES = 600_000;

/** Hostile metadata: fields that replace those of an honest document, or a function that sends the whole response. */
const HOSTILE: Readonly<Record<string, Members | Respond>> = {
  'another issuer': { issuer: 'https://honest.example' },
  'another issuer of the same host': { issuer: 'http://127.0.0.1/other' },
  'no issuer': { issuer: undefined },
  'a token endpoint in a private network': { token_endpoint: 'https://10.0.0.1/token' },
  'a token endpoint at a metadata address': { token_endpoint: 'https://169.254.169.254/token' },
  'an authorization endpoint at an inner address': { authorization_endpoint: 'https://[::ffff:192.168.0.1]/authorize' },
  'an authorization endpoint of another scheme': { authorization_endpoint: 'javascript:alert(1)' },
  'an authorization endpoint with a fragment': { authorization_endpoint: 'https://a.example/authorize#state=1' },
  'a token endpoint without TLS': { token_endpoint: 'http://a.example/token' },
  'a token endpoint with user info': { token_endpoint: 'https://user:password@a.example/token' },
  'a relative registration endpoint': { registration_endpoint: '/register' },
  'endpoints in a list': { token_endpoint: ['https://a.example/token', 'https://b.example/token'] },
  '1 MiB': { padding: 'x'.repeat(MIB) },
  'a redirect': (response) => void response.writeHead(302, { location: 'https://honest.example/metadata' }).end(),
  'two issuers': sends('{"issuer": "https://honest.example", "issuer": "ISSUER"}'),
  'a list around it': sends('[{"issuer": "ISSUER"}]'),
  'a name of the prototype': sends('{"issuer": "ISSUER", "__proto__": {"token_endpoint": "https://a.example"}}'),
  'bytes that are no text': sends(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
};

function sends(body: string | Buffer): Respond {
  return (response) => {
    const url = `http://${response.req.headers.host}`;
    const bytes = typeof body === 'string' ? body.replaceAll('ISSUER', url) : body;
    response.writeHead(200, { 'content-type': 'application/json' }).end(bytes);
  };
}

describe('the metadata of an authorization server (OAU-12)', function () {
  const outbound = use(this, () => createOutbound({ allow: ['127.0.0.1/32'] }));
  let published: Record<string, Members | Respond> = {};
  let asked: string[] = [];
  const server = useEach(this, () => {
    asked = [];
    published = {};
    return serve(({ url = '' }, response) => {
      asked.push(url);
      const found = published[url] ?? ((missing: ServerResponse) => void missing.writeHead(404).end());
      if (typeof found === 'function') return found(response);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found));
    });
  });

  const honest = (issuer: string): Members => ({
    issuer,
    authorization_endpoint: `${server.url}/authorize`,
    token_endpoint: `${server.url}/token`,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    scopes_supported: ['openid', 'offline_access'],
    revocation_endpoint: null,
  });
  const read = (issuer: string, cache = new ServerMetadataCache()): Promise<ServerMetadata> => cache.get({ outbound }, issuer);

  it('is read as RFC 8414 defines it', async () => {
    published[RFC_8414] = honest(server.url);
    expect(valuesOf(await read(server.url))).to.deep.equal({
      issuer: server.url,
      authorizationEndpoint: `${server.url}/authorize`,
      tokenEndpoint: `${server.url}/token`,
      registrationEndpoint: undefined,
      revocationEndpoint: undefined,
      introspectionEndpoint: undefined,
      userinfoEndpoint: undefined,
      protectedResources: undefined,
      tokenEndpointAuthMethods: undefined,
      codeChallengeMethods: ['S256'],
      offersOfflineAccess: true,
      isIssuerSent: true,
      takesClientDocument: false,
    });
  });

  it('is accepted with invalid members that nobody reads, and with a text in place of a list of one', async () => {
    published[RFC_8414] = {
      ...honest(server.url),
      registration_endpoint: 'N/A',
      introspection_endpoint: '',
      userinfo_endpoint: { url: 'https://a.example' },
      code_challenge_methods_supported: 'S256',
      scopes_supported: 'offline_access',
      token_endpoint_auth_methods_supported: ['client_secret_post', null, 7],
      protected_resources: {},
      authorization_response_iss_parameter_supported: 'true',
      client_id_metadata_document_supported: 'no',
      jwks_uri: 17,
    };
    const metadata = await read(server.url);
    expect(metadata).to.deep.include({
      codeChallengeMethods: ['S256'],
      offersOfflineAccess: true,
      tokenEndpointAuthMethods: ['client_secret_post'],
      protectedResources: undefined,
      isIssuerSent: true,
      takesClientDocument: false,
    });
    expect([metadata.tokenEndpoint, metadata.introspectionEndpoint]).to.deep.equal([`${server.url}/token`, undefined]);
    expect(() => metadata.registrationEndpoint).to.throw(UnusableDocument, 'invalid registration_endpoint: "N/A"');
    expect(() => metadata.userinfoEndpoint).to.throw(UnusableDocument, 'invalid userinfo_endpoint');
  });

  it('is refused by an error that names the published and the configured issuer', async () => {
    for (const [path, issuer] of [
      ['/a', `${server.url}/a/`],
      ['/common/v2.0', `${server.url}/{tenantid}/v2.0`],
    ] as const) {
      published[`${RFC_8414}${path}`] = honest(issuer);
      const { message } = await tokenFailure(read(`${server.url}${path}`));
      expect(message).to.contain(`found "${issuer}", configured "${server.url}${path}"`);
    }
  });

  it('is requested with the well-known path before that of the issuer, then as OpenID providers publish it', async () => {
    published[`/tenant/1${OPENID}`] = honest(`${server.url}/tenant/1`);
    expect((await read(`${server.url}/tenant/1`)).issuer).to.equal(`${server.url}/tenant/1`);
    expect(asked).to.deep.equal([`${RFC_8414}/tenant/1`, `${OPENID}/tenant/1`, `/tenant/1${OPENID}`]);
  });

  it('is not taken from a page for people', async () => {
    published[RFC_8414] = (response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>');
    published[OPENID] = honest(server.url);
    expect((await read(server.url)).issuer).to.equal(server.url);
  });

  it('is the same with and without the slash of an empty path', async () => {
    published[RFC_8414] = honest(`${server.url}/`);
    expect((await read(server.url)).issuer).to.equal(`${server.url}/`);
    published[`${RFC_8414}/a`] = honest(`${server.url}/a/`);
    expect(await tokenFailure(read(`${server.url}/a`))).to.be.instanceOf(UnusableDocument);
  });

  it('is kept for ten minutes', async () => {
    let now = 0;
    const cache = new ServerMetadataCache(() => now);
    published[RFC_8414] = honest(server.url);
    await read(server.url, cache);
    now = TEN_MINUTES - 1;
    await read(server.url, cache);
    expect(asked).to.have.length(1);
    now = TEN_MINUTES;
    await read(server.url, cache);
    expect(asked).to.have.length(2);
  });

  it('is cached separately for each outbound client', async () => {
    published[RFC_8414] = honest(server.url);
    await serverMetadata({ outbound }, server.url);
    await serverMetadata({ outbound }, server.url);
    expect(asked).to.have.length(1);
    await using strict = createOutbound({ allow: [] });
    expect(await tokenFailure(serverMetadata({ outbound: strict }, server.url))).to.be.instanceOf(UnusableDocument);
  });

  for (const [fault, members] of Object.entries(HOSTILE)) {
    it(`is refused with ${fault}`, async () => {
      published[RFC_8414] = typeof members === 'function' ? members : { ...honest(server.url), ...members };
      published[OPENID] = honest(server.url);
      expect(await tokenFailure(read(server.url).then(valuesOf))).to.be.instanceOf(UnusableDocument);
      expect(asked, 'no other document is requested').to.deep.equal([RFC_8414]);
    });
  }

  for (const issuer of ['ftp://a.example', 'https://10.0.0.1', 'http://a.example', 'https://a.example?a=b', 'no URL'])
    it(`is not asked for at ${issuer}`, async () => {
      expect(await tokenFailure(read(issuer))).to.be.instanceOf(UnusableDocument);
    });

  it('spends no token when it cannot be used', async () => {
    expect((await tokenFailure(read(server.url))).kind).to.equal('transient');
  });

  it('is read again after each failure, of which a 503 counts as temporary', async () => {
    const cache = new ServerMetadataCache();
    expect(await tokenFailure(read(server.url, cache))).to.be.instanceOf(UnusableDocument);
    published[RFC_8414] = (response) => response.writeHead(503).end();
    expect(await tokenFailure(read(server.url, cache))).not.to.be.instanceOf(UnusableDocument);
    published[RFC_8414] = honest(server.url);
    expect((await read(server.url, cache)).issuer).to.equal(server.url);
  });

  it('is waited for no longer than a token call if the server is silent', async () => {
    published[RFC_8414] = () => undefined;
    const reading = new ServerMetadataCache().get({ outbound, tokenCallMs: 50 }, server.url);
    expect(await tokenFailure(reading)).not.to.be.instanceOf(UnusableDocument);
  });

  describe('as a statement about PKCE', () => {
    const PROMISES: readonly (readonly [methods: string[] | undefined, stated: boolean, notDenied: boolean])[] = [
      [['S256'], true, true],
      [['plain', 'S256'], true, true],
      [['plain'], false, false],
      [[], false, false],
      [undefined, false, true],
    ];
    for (const [methods, stated, notDenied] of PROMISES)
      it(`is judged by the challenge methods ${JSON.stringify(methods)}`, () => {
        const metadata = {
          issuer: 'https://a.example',
          isIssuerSent: false,
          takesClientDocument: false,
          offersOfflineAccess: false,
        };
        const described = { ...metadata, ...(methods && { codeChallengeMethods: methods }) };
        expect(passes(() => requirePkce(described, 'stated'))).to.equal(stated);
        expect(passes(() => requirePkce(described, 'not denied'))).to.equal(notDenied);
      });
  });
});

/** Returns all values of the metadata, including those of its getters. */
function valuesOf(metadata: ServerMetadata) {
  const { authorizationEndpoint, tokenEndpoint, registrationEndpoint, revocationEndpoint, ...others } = metadata;
  const { introspectionEndpoint, userinfoEndpoint } = metadata;
  const endpoints = { authorizationEndpoint, tokenEndpoint, registrationEndpoint, revocationEndpoint };
  return { ...others, ...endpoints, introspectionEndpoint, userinfoEndpoint };
}

function passes(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
