import { expect } from 'chai';
import { ServiceError } from '../../../core/errors.ts';
import { overrideBase, targetOf, toBase } from '../../../core/proxy/target.ts';
import { words } from '../../support/words.ts';

const BASE = toBase(new URL('https://api.example.com/v1/'));
const NOTHING_ADDED = { text: '', names: new Set<string>() };

describe('target of a proxied call', () => {
  const PASSED = {
    'a path': '/users/1',
    'the root': '/',
    'dots inside names': '/a..b/c.json/...',
    'a single dot': '/./users',
    'empty segments': '//users///1//',
    'a host behind two slashes': '//evil.example/x',
    'an absolute URL as a path': '/https://evil.example/x',
    'an at sign': '/@evil.example/x',
    'user and password': '/user:pass@evil.example',
    'an encoded slash': '/projects/group%2Fproject',
    'an encoded backslash': '/a%5Cb',
    'lower-case encodings': '/%c3%a9%2c',
    'an encoded percent sign': '/100%25',
    'a percent sign that encodes nothing': '/100%zz',
    'path parameters': '/a;x=1;y=2/b',
    'a semicolon alone': '/;/x',
    'bytes above 127': '/caf\xe9',
    'a colon in the first segment': '/a:b',
    'a tilde and punctuation': "/~!$&'()*+,=-_",
    'an encoded question mark': '/a%3Fb',
    'an encoded number sign': '/a%23b',
    'a query': '/users?a=1&b=2&a=3',
    'a query with a path in it': '/users?next=/../../x',
    'a query with a URL in it': '/users?url=https://evil.example/..',
    'an empty query': '/users?',
    'two question marks': '/users?a?b',
    'encodings in the query': '/users?q=%2e%2e%2F+%20%00',
    'a backslash in the query': '/users?q=a\\b',
  };
  for (const [what, rest] of Object.entries(PASSED)) {
    it(`passes ${what} on byte by byte below the base`, () => {
      expect(targetOf(BASE, `/proxy${rest}`, NOTHING_ADDED)).to.deep.equal({
        origin: 'https://api.example.com',
        path: `/v1${rest}`,
      });
    });
  }

  const REFUSED = words`
    /.. /../ /../admin /a/../../admin /a/.. /..?x=1 /..;/admin /..;x=1/admin /a/..;jsessionid=1 /%2e%2e/admin /%2E%2E/admin
    /.%2e/admin /%2e./admin /a%2f..%2fadmin /..%2fadmin /..%2Fadmin /%2e%2e%2fadmin /..%5cadmin /%2e%2e%5cadmin
    /a/%2e%2e%2f%2e%2e%2fadmin /..\admin /..\/admin /\evil.example \..\admin /a\b /%252e%252e/admin /%252e%252e%252fadmin
    /..%252fadmin /%25252e%25252e/admin /..%00/admin /..%09/admin /..%0d%0a/admin /..%20/admin /%c0%ae%c0%ae/admin
    /..%c0%afadmin /%e0%80%ae%e0%80%ae/admin /%ef%bc%8e%ef%bc%8e/admin /..%ef%bc%8fadmin /..%c1%9cadmin /#/../admin /a#b /a?b#c
    @evil.example/x :8443/x .evil.example/x https://evil.example/x %2f../admin %2e%2e/admin ;/admin #/x evil
    /..%3b/admin /..%3Bx=1/admin /%2e%2e%3b/admin /a/..%3b/..%3b/admin /..%253b/admin /.;/admin /.;x=1/admin /.%3b/admin /%2e/admin
    /a/%2E /a/.;
  `;
  for (const rest of REFUSED) {
    it(`refuses /proxy${rest}`, () => {
      expect(() => targetOf(BASE, `/proxy${rest}`, NOTHING_ADDED))
        .to.throw(ServiceError)
        .with.property('code', 'invalid_uri_params');
    });
  }

  for (const rawUrl of ['http://evil.example/proxy/x', '//evil.example/proxy/x', '/Proxy/x', '*', '', '/prox']) {
    it(`refuses the request target "${rawUrl}"`, () => {
      expect(() => targetOf(BASE, rawUrl, NOTHING_ADDED)).to.throw(ServiceError);
    });
  }

  it('asks for the root when there is no path at all', () => {
    const root = toBase(new URL('https://api.example.com'));
    expect(targetOf(root, '/proxy', NOTHING_ADDED).path).to.equal('/');
    expect(targetOf(root, '/proxy?a=1', NOTHING_ADDED).path).to.equal('/?a=1');
  });

  it('adds the parameters of the definition and removes the caller’s of the same name, however they are spelled', () => {
    const added = { text: 'api_key=secret', names: new Set(['api_key']) };
    const path = targetOf(BASE, '/proxy/x?a=1&api_key=mine&%61pi_key=mine&b=%2F&api%5Fkey', added).path;
    expect(path).to.equal('/v1/x?a=1&b=%2F&api_key=secret');
    expect(targetOf(BASE, '/proxy/x', added).path).to.equal('/v1/x?api_key=secret');
  });

  it('keeps the query of the base URL', () => {
    const base = toBase(new URL('https://api.example.com/v1?version=2'));
    expect(targetOf(base, '/proxy/x?a=1', NOTHING_ADDED).path).to.equal('/v1/x?a=1&version=2');
  });
});

describe('override of the base URL', () => {
  const ALLOWED = ['api.example.com', 'eu.example.com:8443', 'standard.example.com:443'];

  for (const [override, origin] of [
    ['https://api.example.com', 'https://api.example.com'],
    ['https://api.example.com/', 'https://api.example.com'],
    ['https://eu.example.com:8443/v2/', 'https://eu.example.com:8443'],
    ['https://standard.example.com', 'https://standard.example.com'],
  ] as const) {
    it(`allows ${override}`, () => {
      expect(overrideBase(override, ALLOWED).origin).to.equal(origin);
    });
  }

  it('takes its path as the base path', () => {
    expect(overrideBase('https://api.example.com/v2/', ALLOWED).path).to.equal('/v2');
  });
});
