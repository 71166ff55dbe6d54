import { expect } from 'chai';
import { fillText, fillUrl, placeholdersOf, TemplateError, type TemplateValues } from '../../../core/kit/template.ts';
import { words } from '../../support/words.ts';

type Case = readonly [template: string, values: TemplateValues, filled: string];

const URLS: readonly Case[] = [
  ['https://api.test/v1', {}, 'https://api.test/v1'],
  ['https://${sub}.api.test/v1', { sub: 'acme' }, 'https://acme.api.test/v1'],
  ['https://${host}/oauth', { host: 'auth.acme.test' }, 'https://auth.acme.test/oauth'],
  ['https://api.test/${account}/users', { account: 'a/b?c#d' }, 'https://api.test/a%2Fb%3Fc%23d/users'],
  ['https://api.test/${name}', { name: '%2e%2e' }, 'https://api.test/%252e%252e'],
  ['https://api.test/?q=${text}&z=1', { text: 'a&b=c #ü' }, 'https://api.test/?q=a%26b%3Dc%20%23%C3%BC&z=1'],
  ['https://api.test?q=${text}', { text: '../x' }, 'https://api.test/?q=..%2Fx'],
  ['https://${a}.test/${a}?a=${a}', { a: 'x-1' }, 'https://x-1.test/x-1?a=x-1'],
  ['${base}', { base: 'https://acme.test:8443/api?x=1' }, 'https://acme.test:8443/api?x=1'],
  ['${base}/oauth/${tenant}', { base: 'https://acme.test/api/', tenant: 'a b' }, 'https://acme.test/api/oauth/a%20b'],
  ['${base}?tenant=${tenant}', { base: 'http://acme.test', tenant: '&' }, 'http://acme.test?tenant=%26'],
  ['https://api.test/${a}/x', { a: '${b}', b: 'never' }, 'https://api.test/%24%7Bb%7D/x'],
];

const BAD_HOSTS = [
  ...words`a:80 user@evil.test evil.test/ evil.test# evil.test? a\b .a a. -a a- a.-b a..b ü [::1] a%2eb`,
  '',
  'a b',
  'a'.repeat(64),
  'a.'.repeat(127),
  'a'.repeat(60_000),
];

const BAD_BASES = [
  ...words`
    acme.test //acme.test ftp://acme.test javascript:alert(1) https:acme.test https:///acme.test https:// https://user@acme.test
    https://user:pw@acme.test https://acme.test/#part https://\evil.test
  `,
  '',
  ' https://a.test',
  'https://acme test',
];

describe('fillUrl', () => {
  for (const [template, values, filled] of URLS) {
    it(`fills ${template} with ${JSON.stringify(values)}`, () => {
      expect(fillUrl(template, values).href).to.equal(new URL(filled).href);
    });
  }

  for (const value of BAD_HOSTS) {
    it(`refuses ${JSON.stringify(value).slice(0, 20)} in a host`, () => {
      for (const template of ['https://${x}.api.test/', 'https://${x}/', 'https://api.${x}'])
        expectFault(() => fillUrl(template, { x: value }), 'x', 'invalid');
    });
  }

  for (const value of ['', '.', '..', '\ud800']) {
    it(`refuses ${JSON.stringify(value)} as a path segment`, () => {
      expectFault(() => fillUrl('https://api.test/a/${x}/b', { x: value }), 'x', 'invalid');
    });
  }

  for (const value of BAD_BASES) {
    it(`refuses ${JSON.stringify(value)} as the beginning of a URL`, () => {
      expectFault(() => fillUrl('${x}/oauth', { x: value }), 'x', 'invalid');
    });
  }

  it('refuses to append a path behind a query, or text to a host', () => {
    expectFault(() => fillUrl('${x}/oauth', { x: 'https://a.test/?q=1' }), 'x', 'invalid');
    expectFault(() => fillUrl('${x}.evil.test/', { x: 'https://a.test' }), 'x', 'invalid');
  });

  it('takes neither the scheme nor userinfo from a value', () => {
    expectFault(() => fillUrl('${x}://api.test/', { x: 'https' }), 'x', 'invalid');
    expectFault(() => fillUrl('https://${x}@api.test/', { x: 'user' }), 'x', 'invalid');
    expectFault(() => fillUrl('ftp://${x}/', { x: 'api.test' }), 'x', 'invalid');
  });

  it('names a placeholder without value, and uses own properties only', () => {
    expectFault(() => fillUrl('https://${connectionConfig.sub}.test/', {}), 'connectionConfig.sub', 'missing');
    expectFault(() => fillUrl('https://${constructor}.test/', {}), 'constructor', 'missing');
  });

  it('never puts a value into its message', () => {
    expect(() => fillUrl('https://${x}.test/', { x: 'canary:1' }))
      .to.throw(TemplateError)
      .with.property('message')
      .that.not.contains('canary');
  });
});

describe('fillText', () => {
  const texts: readonly Case[] = [
    ['plain', {}, 'plain'],
    ['Bearer ${accessToken}', { accessToken: 'a.b~c' }, 'Bearer a.b~c'],
    ['Basic base64(${username}:${password})', { username: 'u', password: 'p:)' }, `Basic ${btoa('u:p:)')}`],
    ['base64(${a}) base64(${b})', { a: '1', b: 'ü' }, 'MQ== w7w='],
    ['${a}', { a: '${b} base64(x)', b: 'never' }, '${b} base64(x)'],
    ['base64(${a})', { a: '${b}', b: 'never' }, btoa('${b}')],
    ['base64(${a}', { a: 'x' }, 'base64(x'],
    ["${a} $& $1 $'", { a: '$&' }, "$& $& $1 $'"],
  ];

  for (const [template, values, filled] of texts) {
    it(`fills ${template}`, () => {
      expect(fillText(template, values)).to.equal(filled);
    });
  }

  for (const value of ['a\r\nX-Evil: 1', 'a\n', 'a\0']) {
    it(`refuses ${JSON.stringify(value)}`, () => {
      expectFault(() => fillText('Bearer ${x}', { x: value }), 'x', 'invalid');
      expectFault(() => fillText('base64(${x})', { x: value }), 'x', 'invalid');
    });
  }

  it('names a placeholder without value', () => {
    expectFault(() => fillText('base64(${apiKey})', {}), 'apiKey', 'missing');
  });

  it('reads a hostile template in time that grows with its length', () => {
    const template = `base64(${'${a}'.repeat(20_000)}`;
    expect(fillText(template, { a: 'x' })).to.equal(`base64(${'x'.repeat(20_000)}`);
  });
});

describe('placeholdersOf', () => {
  it('lists each name once, in order', () => {
    expect(placeholdersOf('https://${b}.test/${a}?x=base64(${b}:${connectionConfig.c})')).to.deep.equal([
      'b',
      'a',
      'connectionConfig.c',
    ]);
  });
});

function expectFault(run: () => unknown, placeholder: string, reason: TemplateError['reason']): void {
  expect(run).to.throw(TemplateError).that.includes({ placeholder, reason });
}
