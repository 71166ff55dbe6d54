import { expect } from 'chai';
import { responseHeaders } from '../../../core/proxy/response-headers.ts';

const OURS = ['Svc-Request-Id', 'request-1', 'X-Content-Type-Options', 'nosniff', 'Content-Security-Policy', 'sandbox'];

function passed(
  providers: readonly string[],
  input: { status?: number; decompressed?: boolean; limitHeaders?: readonly string[] } = {},
): string[] {
  return responseHeaders(providers, { status: 200, requestId: 'request-1', ...input });
}

describe('headers of the provider’s response', () => {
  const DROPPED = [
    ['Connection', 'close'],
    ['Connection', 'X-Hop', 'x-hop', '1'],
    ['Keep-Alive', 'timeout=5'],
    ['Transfer-Encoding', 'chunked'],
    ['Transfer-Encoding', 'chunked', 'Content-Length', '5'],
    ['Trailer', 'X-Sum'],
    ['TE', 'trailers'],
    ['Upgrade', 'h2c'],
    ['Proxy-Authenticate', 'Basic'],
    ['Proxy-Connection', 'close'],
    ['Set-Cookie', 'a=b'],
    ['SET-COOKIE', 'a=b', 'set-cookie', 'c=d'],
    ['Strict-Transport-Security', 'max-age=1'],
    ['Clear-Site-Data', '"*"'],
    ['Alt-Svc', 'h3=":443"'],
    ['Access-Control-Allow-Origin', '*'],
    ['access-control-allow-credentials', 'true'],
    ['Service-Worker-Allowed', '/'],
    ['Content-Security-Policy', "default-src 'self'"],
    ['Content-Security-Policy-Report-Only', 'report-uri https://evil.example'],
    ['X-Content-Type-Options', 'none'],
    ['X-Frame-Options', 'DENY'],
    ['X-Accel-Redirect', '/protected/other-tenant'],
    ['X-Accel-Buffering', 'no'],
    ['X-Sendfile', '/etc/passwd'],
    ['X-LIGHTTPD-send-file', '/etc/passwd'],
    ['X-Reproxy-URL', 'http://127.0.0.1/'],
    ['NEL', '{"report_to":"x"}', 'Report-To', '{"group":"x"}'],
    ['Reporting-Endpoints', 'x="https://evil.example"'],
    ['Speculation-Rules', '"/rules.json"'],
    ['Set-Login', 'logged-in'],
    ['Accept-CH', 'Sec-CH-UA'],
    ['Public-Key-Pins', 'max-age=1'],
    ['Svc-Error', 'provider_unreachable'],
    ['svc-request-id', 'forged'],
  ];
  for (const providers of DROPPED) {
    it(`drop ${providers.join(' ')}`, () => {
      expect(passed(providers)).to.deep.equal(OURS);
    });
  }

  it('keep all other fields unchanged', () => {
    const providers = ['Content-Type', 'text/html', 'Link', '</a>', 'link', '</b>', 'ETag', '"x"', 'Content-Length', '5'];
    expect(passed(providers)).to.deep.equal([...providers, ...OURS]);
  });

  it('drop the fields that describe a compressed body when it is decompressed', () => {
    const providers = ['Content-Encoding', 'gzip', 'Content-Length', '5', 'ETag', '"x"'];
    expect(passed(providers, { decompressed: true })).to.deep.equal(['ETag', '"x"', ...OURS]);
  });

  it('have no Content-Length in a 204 (RFC 9110 §8.6)', () => {
    expect(passed(['Content-Length', '5'], { status: 204 })).to.deep.equal(OURS);
    expect(passed(['Content-Length', '5'], { status: 304 })).to.deep.equal(['Content-Length', '5', ...OURS]);
  });

  it('are followed by the rate limit of the caller’s key', () => {
    const limitHeaders = ['X-RateLimit-Limit', '60', 'X-RateLimit-Remaining', '59'];
    expect(passed(['X-Other', 'x-ratelimit-limit'], { limitHeaders })).to.deep.equal([
      'X-Other',
      'x-ratelimit-limit',
      ...OURS,
      ...limitHeaders,
    ]);
  });

  it('are not followed by the rate limit of the key when the provider states its own', () => {
    const own = ['x-rateLimit-remaining', '1'];
    expect(passed(own, { limitHeaders: ['X-RateLimit-Limit', '60'] })).to.deep.equal([...own, ...OURS]);
  });
});
