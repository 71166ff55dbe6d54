import { expect } from 'chai';
import { followedRedirect } from '../../../core/proxy/proxied-exchange.ts';
import { words } from '../../support/words.ts';

const NOTHING_ADDED = { text: '', names: new Set<string>() };
const REQUESTED = { origin: 'https://api.example.com', path: '/v1/a?b=c' };

function follow(location: string, { method = 'GET', status = 302, added = NOTHING_ADDED } = {}) {
  return followedRedirect(method, { status, reason: '', headers: ['Location', location] }, { from: REQUESTED, added });
}

describe('redirects of the provider', () => {
  for (const [location, path] of [
    ['/v1/b', '/v1/b'],
    ['b?x=1', '/v1/b?x=1'],
    ['?x=2', '/v1/a?x=2'],
    ['https://api.example.com/other#fragment', '/other'],
    ['https://api.example.com:443/other', '/other'],
    ['//api.example.com/x', '/x'],
  ] as const) {
    it(`are followed within the origin: ${location}`, () => {
      expect(follow(location)).to.deep.equal({ origin: REQUESTED.origin, path });
    });
  }

  it('keep the credentials in the query without repeating them', () => {
    const added = { text: 'api_key=secret', names: new Set(['api_key']) };
    expect(follow('/v1/b?x=1', { added })?.path).to.equal('/v1/b?x=1&api_key=secret');
    expect(follow('/v1/b?api_key=old&x=1', { added })?.path).to.equal('/v1/b?x=1&api_key=secret');
  });

  for (const location of words`
    https://evil.example/ https://api.example.com.evil.example/ https://example.com/ https://sub.api.example.com/
    http://api.example.com/ https://api.example.com:8443/ https://api.example.com./ //evil.example/x \\evil.example\x
    /\evil.example https://api.example.com@evil.example/ https://user:pass@api.example.com/ http://127.0.0.1/ file:///etc/passwd
    gopher://api.example.com/ javascript:alert(1) unix:///var/run/docker.sock http://[::
  `) {
    it(`are returned to the caller: ${location}`, () => expect(follow(location)).to.equal(undefined));
  }

  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    it(`of ${method} requests are returned to the caller`, () => expect(follow('/b', { method })).to.equal(undefined));
  }
  for (const status of [300, 304, 305, 306, 399, 200, 201]) {
    it(`are not followed with status ${status}`, () => expect(follow('/b', { status })).to.equal(undefined));
  }
});
