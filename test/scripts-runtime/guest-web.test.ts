import { createHash, createHmac } from 'node:crypto';
import { expect } from 'chai';
import { openScripts } from '../support/script-host.ts';
import { use } from '../support/use.ts';

const LIMITS = { timeoutMs: 15_000 };
const TEXTS = [
  '',
  'a',
  'ab',
  'abc',
  'é',
  '€',
  '😀',
  'a\u0000b',
  '\ud800',
  'a\udc00b',
  '\ufeffa',
  "~!*()'-._ +%",
  'x'.repeat(20_000),
];
const BYTES = [
  [],
  [0x41],
  [0xc3, 0xa9],
  [0xf0, 0x9f, 0x98, 0x80],
  [0xef, 0xbb, 0xbf, 0x41],
  [0xff],
  [0xc0, 0xaf],
  [0xe0, 0x80, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xf0, 0x9f, 0x41],
  [0xe2, 0x82],
  [0x80, 0x41, 0xc3],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
  [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf],
];
const ADDRESSES: ReadonlyArray<readonly [input: string, base?: string]> = [
  ['https://user:word@Example.com:8443/a/../b?c=d&c=e#f'],
  ['../x', 'https://a.example/b/c/d'],
  ['//b.example', 'https://a.example'],
  ['no'],
  ['http://[::1]:80/'],
  ['https://bücher.example/ä?ö=ü'],
  ['file:///etc/passwd'],
  ['javascript:alert(1)'],
  ['https://a.example/%zz?a=%zz&b=%C3%A9+x'],
  ['http://1.1'],
  [' https://a.example '],
];
const CHANGES: ReadonlyArray<readonly [part: string, value: string]> = [
  ['search', '?x=1'],
  ['hash', 'h'],
  ['port', '99'],
  ['pathname', '/ä b'],
  ['host', 'other.example:1'],
  ['protocol', 'http'],
  ['username', 'ü'],
  ['href', 'https://new.example/?q=1'],
];

describe('the parts of the web platform that scripts have', function () {
  const scripts = use(this, openScripts);

  /** Runs a function in the sandbox and here, with the globals of Node, and asserts that the results are equal. */
  async function compare<Input>(inputs: Input, act: (inputs: Input) => unknown): Promise<void> {
    const outcome = await scripts.run(`export default (svc, inputs) => (${act})(inputs);`, { args: [inputs], limits: LIMITS });
    expect(outcome.error).to.equal(undefined);
    expect(outcome.result).to.deep.equal(act(inputs));
  }

  it('encodes and decodes UTF-8', async () => {
    await compare({ texts: TEXTS, bytes: BYTES }, ({ texts, bytes }) => [
      texts.map((text) => [...new TextEncoder().encode(text)]),
      bytes.map((one) => new TextDecoder().decode(new Uint8Array(one))),
      bytes.map((one) => new TextDecoder('utf8', { ignoreBOM: true }).decode(new Uint8Array(one).buffer)),
      bytes.map((one) => {
        try {
          return new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(one));
        } catch {
          return null;
        }
      }),
    ]);
  });

  it('encodes and decodes base64', async () => {
    const latin = ['', 'a', 'ab', 'abc', 'abcd', '\u0000\u00ff\u0080', '€'];
    const coded = ['', 'YQ==', 'YQ', 'YWI=', 'YWJj', ' Y W J j ', 'Y', 'YQ=', 'Y!==', '====', 'YWJjZA==', 'AP+A'];
    await compare({ latin, coded }, ({ latin, coded }) => {
      const tried = (act: (text: string) => string) => (text: string) => {
        try {
          return act(text);
        } catch {
          return null;
        }
      };
      return [latin.map(tried(btoa)), coded.map(tried(atob))];
    });
  });

  it('reads and changes URLs', async () => {
    await compare({ addresses: ADDRESSES, changes: CHANGES }, ({ addresses, changes }) => {
      const partsOf = (url: URL) => [
        url.href,
        url.origin,
        url.protocol,
        url.username,
        url.password,
        url.host,
        url.hostname,
        url.port,
        url.pathname,
        url.search,
        url.hash,
        [...url.searchParams],
      ];
      return [
        addresses.map(([input, base]) => [
          URL.canParse(input, base ?? undefined),
          URL.parse(input, base ?? undefined)?.href ?? null,
        ]),
        addresses
          .filter(([input, base]) => URL.canParse(input, base ?? undefined))
          .map(([input, base]) => partsOf(new URL(input, base ?? undefined))),
        changes.map(([part, value]) => {
          const url = new URL('https://a.example/b?c=d#e');
          Reflect.set(url, part, value);
          return [partsOf(url), JSON.stringify({ url }), `${url}`];
        }),
      ];
    });
  });

  it('reads and changes URL parameters', async () => {
    await compare(TEXTS, (texts) => {
      const url = new URL('https://a.example/?z=1&a=2&z=3');
      const seen: unknown[] = [
        url.searchParams.size,
        url.searchParams.getAll('z'),
        url.searchParams.get('none'),
        url.searchParams.has('z', '3'),
      ];
      for (const text of texts.slice(0, -1)) {
        url.searchParams.append(text, text);
        seen.push(url.search);
      }
      url.searchParams.set('z', 'x');
      url.searchParams.delete('a');
      url.searchParams.sort();
      url.searchParams.forEach((value, name) => {
        seen.push([name, value]);
      });
      const others = [
        new URLSearchParams({ a: 'b c' }),
        new URLSearchParams([
          ['a', '1'],
          ['a', '2'],
        ]),
        new URLSearchParams('?x=%zz&y=%C3%A9+1&&=q'),
      ];
      return [
        seen,
        url.href,
        [...url.searchParams.keys()],
        [...url.searchParams.values()],
        others.map((one) => [`${one}`, [...one.entries()]]),
      ];
    });
  });

  it('hashes', async () => {
    const source = `export default (svc, texts) => [
      texts.map((text) => [
        crypto.sha256(text),
        crypto.hmacSha256('key', text, 'base64'),
        crypto.hmacSha256(new Uint8Array([1, 255]), new TextEncoder().encode(text), 'base64url'),
      ]),
      crypto.randomUUID(), crypto.randomUUID(),
    ];`;
    const texts = TEXTS.map((text) => text.toWellFormed());
    const { result } = await scripts.run(source, { args: [texts], limits: LIMITS });
    const [hashes, one, other] = result as [unknown, string, string];
    const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);
    expect(hashes).to.deep.equal(
      texts.map((text) => [
        createHash('sha256').update(text).digest('hex'),
        mac('key', text).digest('base64'),
        mac(Buffer.from([1, 255]), text).digest('base64url'),
      ]),
    );
    expect(one)
      .to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      .and.not.equal(other);
  });

  it('has timers that fire in their order, can be cleared, and end with the run', async () => {
    const source = `export default async (svc) => {
      const seen = [];
      setTimeout(() => { throw new TypeError('in a timer'); });
      const cleared = setTimeout(() => seen.push('cleared'), 5);
      setTimeout(() => svc.log('too late'), 10_000);
      setTimeout((...args) => seen.push(args), 20, 'a', 'b');
      setTimeout(() => seen.push('first'), 1);
      clearTimeout(cleared); clearTimeout(undefined); clearTimeout(12345);
      await new Promise((wake) => setTimeout(wake, 40));
      return seen;
    };`;
    const outcome = await scripts.run(source, { limits: LIMITS });
    expect(outcome.result).to.deep.equal(['first', ['a', 'b']]);
    expect(outcome.log.map(({ level, message }) => [level, message])).to.deep.equal([['error', 'TypeError: in a timer']]);
    expect(outcome.durationMs).to.be.below(10_000);
  });
});
