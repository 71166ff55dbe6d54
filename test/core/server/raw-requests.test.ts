import { expect } from 'chai';
import { defineRoute, defineStream } from '../../../core/server/route.ts';
import { ROUTE, startEdge } from '../../support/http-edge.ts';
import { use } from '../../support/use.ts';

const seen: string[] = [];
const routes = [
  defineRoute({ ...ROUTE, method: 'GET', path: '/x', handle: async () => ({ body: { x: 1 } }) }),
  defineStream({
    ...ROUTE,
    path: '/stream',
    handle: async (_: unknown, { request, response }) => {
      seen.push(`${request.method} ${request.url}`);
      await request.toArray();
      response.end('streamed');
    },
  }),
];

const HOST = 'Host: a\r\n';
/** A request sent right behind each tested one. It gets a response if the server misjudges where the tested request ends. */
const MARKER = `GET /stream/marker HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`;

function get(fields: string, target = '/stream/x'): string {
  return `GET ${target} HTTP/1.1\r\n${fields}\r\n`;
}

function post(fields: string, body: string): string {
  return `POST /stream/x HTTP/1.1\r\n${HOST}${fields}\r\n${body}`;
}

const REFUSED: readonly (readonly [string, string, number])[] = [
  ['no Host', get(''), 400],
  ['two Hosts in HTTP/1.0', `GET /stream/x HTTP/1.0\r\n${HOST}Host: b\r\n\r\n`, 400],
  ['two Hosts', get(`${HOST}Host: b\r\n`), 400],
  ['two equal Hosts in another case', get(`${HOST}hOST: a\r\n`), 400],
  ['two credentials', get(`${HOST}Authorization: Bearer a\r\nauthorization: Bearer b\r\n`), 400],
  ['a Host with a path', get('Host: a/b\r\n'), 400],
  ['a Host with user information', get('Host: b@a\r\n'), 400],
  ['two Hosts in one field', get('Host: a, b\r\n'), 400],
  ['a whole URL as target', get(HOST, 'http://evil/stream/x'), 400],
  ['an authority as target', `CONNECT evil:443 HTTP/1.1\r\n${HOST}\r\n`, 405],
  ['an asterisk as target', `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, 400],
  ['a fragment in the target', get(HOST, '/stream/x#y'), 400],
  ['a space in the target', get(HOST, '/stream/x y'), 400],
  ['a byte above ASCII in the target', get(HOST, '/stream/\u00e9'), 400],
  ['a header called __proto__', get(`${HOST}__proto__: x\r\n`), 400],
  ['an unknown expectation', get(`${HOST}Expect: a-pony\r\n`), 400],
  ['length and chunks', post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'), 400],
  ['chunks and length', post('Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', '0\r\n\r\n'), 400],
  ['two lengths', post('Content-Length: 0\r\nContent-Length: 5\r\n', ''), 400],
  ['two equal lengths', post('Content-Length: 0\r\nContent-Length: 0\r\n', ''), 400],
  ['a list as length', post('Content-Length: 0, 0\r\n', ''), 400],
  ['a signed length', post('Content-Length: +0\r\n', ''), 400],
  ['a hexadecimal length', post('Content-Length: 0x1\r\n', 'a'), 400],
  ['a length out of range', post('Content-Length: 99999999999999999999\r\n', ''), 400],
  ['an unknown coding', post('Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'), 400],
  ['two codings', post('Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n'), 400],
  ['chunked twice', post('Transfer-Encoding: chunked, chunked\r\n', '0\r\n\r\n'), 400],
  ['two fields of codings', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', '0\r\n\r\n'), 400],
  ['a coding before a space', post('Transfer-Encoding : chunked\r\n', '0\r\n\r\n'), 400],
  ['chunks in HTTP/1.0', `POST /stream/x HTTP/1.0\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
  ['a space before the colon', get('Host : a\r\n'), 400],
  ['a folded field', get(`${HOST}A: b\r\n c\r\n`), 400],
  ['a field without a colon', get(`${HOST}Nonsense\r\n`), 400],
  ['a line feed alone', 'GET /stream/x HTTP/1.1\nHost: a\n\n', 400],
  ['a carriage return in a value', get(`${HOST}A: b\rc\r\n`), 400],
  ['NUL in a value', get(`${HOST}A: b\0c\r\n`), 400],
  ['another version', 'GET /stream/x HTTP/3.7\r\nHost: a\r\n\r\n', 400],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n', 400],
  ['a URL above 16 KiB', get(HOST, `/stream/${'x'.repeat(16 * 1024)}`), 414],
  ['a URL of 60 KiB', get(HOST, `/stream/${'x'.repeat(60 * 1024)}`), 414],
  ['a URL of 100 KiB', get(HOST, `/stream/${'x'.repeat(100 * 1024)}`), 414],
  ['101 fields', get(HOST + Array.from({ length: 100 }, (_, at) => `A${at}: b\r\n`).join('')), 431],
  ['2000 fields', get(HOST + Array.from({ length: 2_000 }, (_, at) => `A${at}: b\r\n`).join('')), 431],
  ['33 KiB of fields', get(`${HOST}A: ${'b'.repeat(33 * 1024)}\r\n`), 431],
  ['100 KiB of fields', get(`${HOST}A: ${'b'.repeat(100 * 1024)}\r\n`), 431],
  ['a URL and fields of 33 KiB', get(`${HOST}A: ${'b'.repeat(20 * 1024)}\r\n`, `/stream/${'x'.repeat(13 * 1024)}`), 431],
];

const TAKEN: readonly (readonly [string, string])[] = [
  ['100 fields', get(HOST + Array.from({ length: 99 }, (_, at) => `A${at}: b\r\n`).join(''))],
  ['a URL of 16 KiB', get(HOST, `/stream/${'x'.repeat(16 * 1024 - 8)}`)],
  ['30 KiB of fields', get(`${HOST}A: ${'b'.repeat(30 * 1024)}\r\n`)],
  ['chunks', post('Transfer-Encoding: chunked\r\n', '3\r\nabc\r\n0\r\n\r\n')],
  ['chunks with an extension', post('Transfer-Encoding: chunked\r\n', '3;a=b\r\nabc\r\n0\r\n\r\n')],
  ['an expected 100', post('Content-Length: 3\r\nExpect: 100-continue\r\n', 'abc')],
];

const UPGRADES: Readonly<Record<string, string>> = {
  h2c: `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n`,
  'a WebSocket where none is taken': 'Connection: Upgrade\r\nUpgrade: websocket\r\n',
};

describe('raw requests (PRX-06)', function () {
  const edge = use(this, () => startEdge(routes));
  beforeEach(() => {
    seen.length = 0;
  });

  for (const [what, bytes, status] of REFUSED) {
    it(`with ${what} are refused with ${status}, and nothing behind them is read`, async () => {
      const response = await edge.raw(bytes + MARKER);
      expect({ status: response.status, closed: response.closed, seen }).to.deep.equal({ status, closed: true, seen: [] });
      const [head = '', body = ''] = response.text.split('\r\n\r\n');
      expect(Object.keys(JSON.parse(body).error)).to.deep.equal(['code', 'message']);
      expect(head)
        .to.match(/^svc-request-id: [0-9a-f-]{36}$/im)
        .and.to.match(/^x-content-type-options: nosniff$/im);
      expect(head).to.match(/^connection: close$/im);
    });
  }

  for (const [what, bytes] of TAKEN) {
    it(`with ${what} are read as one request, and the request behind them as another`, async () => {
      const { text } = await edge.raw(bytes + MARKER);
      expect(text.split('HTTP/1.1 200').length - 1).to.equal(2);
      expect(seen).to.have.lengthOf(2);
      expect(seen[1]).to.equal('GET /stream/marker');
    });
  }

  it('of HTTP/1.0 need no Host, because health checks of load balancers send none', async () => {
    const { status, closed } = await edge.raw('GET /stream/x HTTP/1.0\r\n\r\n');
    expect({ status, closed, seen }).to.deep.equal({ status: 200, closed: true, seen: ['GET /stream/x'] });
  });

  for (const [what, fields] of Object.entries(UPGRADES)) {
    it(`that ask for ${what} get an ordinary response, the last one on their connection`, async () => {
      const { status, closed } = await edge.raw(get(HOST + fields) + MARKER);
      expect({ status, closed, seen }).to.deep.equal({ status: 200, closed: true, seen: ['GET /stream/x'] });
    });

    it(`that ask for ${what} with a body are read to the end of the body and no further`, async () => {
      const { status, closed } = await edge.raw(post(`${fields}Content-Length: 3\r\n`, `abc${MARKER}`));
      expect({ status, closed, seen }).to.deep.equal({ status: 200, closed: true, seen: ['POST /stream/x'] });
    });
  }

  it('that turn out malformed during the response are cut off and get no second response', async () => {
    const { text, closed } = await edge.raw(post('Transfer-Encoding: chunked\r\n', 'zz\r\n'));
    expect(closed).to.equal(true);
    expect(text.split('HTTP/1.1 ').length - 1).to.equal(1);
  });
});
