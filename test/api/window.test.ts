import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { windowRoutes } from '../../core/api/connect/window.ts';
import type { PlainRoute } from '../../core/server/route.ts';
import { startApp } from '../support/app.ts';
import { startEdge } from '../support/http-edge.ts';
import { startIntegratedApp } from '../support/integrated-app.ts';
import { use } from '../support/use.ts';

interface Received {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

/** Requests a URL and returns the bytes of the response as they were sent; `fetch` would decompress them. */
async function get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Received> {
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    request(url, { headers }, resolve).once('error', reject).end();
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) };
}

describe('GET /connect, /connect/assets and /sdk/v1.js', function () {
  const app = use(this, startIntegratedApp);

  it('the window may be framed by listed pages, runs nothing inline, and is not cached', async () => {
    const { status, headers, bytes } = await get(`${app.url}/connect`);
    expect([status, headers['content-type']]).to.deep.equal([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).to.equal(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; " +
        "base-uri 'self'; frame-ancestors 'self' http://localhost:* http://127.0.0.1:*",
    );
    expect(headers).to.not.have.any.keys('x-frame-options', 'cross-origin-opener-policy');
    expect([headers['cache-control'], headers['referrer-policy']]).to.deep.equal(['no-store', 'no-referrer']);
    expect(String(bytes)).to.not.match(/<style|\son\w+=|\sstyle=|<script(?![^>]* src=)(?! type="application\/json")/i);
  });

  it('every file that the page names exists, is compressed on request, and may be cached forever', async () => {
    const names = [...String((await get(`${app.url}/connect`)).bytes).matchAll(/(?:src|href)="(connect\/[^"]+)"/g)];
    expect(names).to.have.length.of.at.least(2);
    for (const [, path] of names) {
      const plain = await get(`${app.url}/${path}`);
      expect([plain.status, plain.headers['content-encoding']]).to.deep.equal([200, undefined]);
      expect(plain.headers).to.include({ vary: 'accept-encoding', 'cache-control': 'public, max-age=31536000, immutable' });
      const br = await get(`${app.url}/${path}`, { 'accept-encoding': 'gzip, br' });
      const gzip = await get(`${app.url}/${path}`, { 'accept-encoding': 'gzip' });
      expect([br, gzip].map(({ headers }) => headers['content-encoding'])).to.deep.equal(['br', 'gzip']);
      expect(brotliDecompressSync(br.bytes).equals(plain.bytes) && gunzipSync(gzip.bytes).equals(plain.bytes)).to.equal(true);
    }
  });

  for (const path of ['index.html', 'nothing.js', '..%2Findex.html', '..%2f..%2fsdk%2fv1.js', 'index.html.br', '__proto__'])
    it(`there is nothing at /connect/assets/${path}`, async () => {
      expect((await get(`${app.url}/connect/assets/${path}`)).status).to.equal(404);
    });

  it('the SDK is for pages of any site, states its version and hash, and is revalidated each time', async () => {
    const { headers, bytes } = await get(`${app.url}/sdk/v1.js`);
    expect(headers).to.include({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'no-cache',
      'content-type': 'text/javascript; charset=utf-8',
      'svc-sdk-integrity': `sha384-${createHash('sha384').update(bytes).digest('base64')}`,
    });
    expect(headers['svc-sdk-version']).to.match(/^\d+\.\d+\.\d+$/);
    const again = await get(`${app.url}/sdk/v1.js`, { 'if-none-match': String(headers['etag']), 'accept-encoding': 'br' });
    expect([again.status, again.bytes.length, again.headers['content-length']]).to.deep.equal([304, 0, undefined]);
    expect((await get(`${app.url}/sdk/v1.js`, { 'if-none-match': 'W/"other"' })).status).to.equal(200);
  });
  it('may be framed by the pages that the operator names', async () => {
    await using other = await startApp({ env: { SVC_FRAME_ANCESTORS: "'self' https://app.example" } });
    expect((await get(`${other.url}/connect`)).headers['content-security-policy']).to.match(
      /; frame-ancestors 'self' https:\/\/app\.example$/,
    );
  });

  it('may be framed as a preview by our own pages only, whatever the operator names', async () => {
    await using other = await startApp({ env: { SVC_FRAME_ANCESTORS: 'https://app.example' } });
    const { status, headers } = await get(`${other.url}/connect/preview`);
    expect([status, headers['x-frame-options']]).to.deep.equal([200, 'SAMEORIGIN']);
    expect(headers['content-security-policy']).to.match(/; frame-ancestors 'self'$/);
  });
});

describe('the window before it is built', function () {
  const unbuilt = { baseUrl: 'https://svc.example', frameAncestors: "'self'", ui: undefined };
  const routes = windowRoutes.map((route): PlainRoute<unknown> => {
    const { maxBodyBytes: _, ...described } = route;
    return { ...described, handle: (_services, request) => route.handle(unbuilt, request) };
  });
  const edge = use(this, () => startEdge(routes));

  for (const path of ['/connect', '/connect/preview', '/connect/assets/a.js', '/sdk/v1.js'])
    it(`says at ${path} what to run`, async () => {
      const { status, text } = await edge.as().get(path);
      expect([status, text]).to.satisfy(([code, said]: [number, string]) => code === 503 && said.includes('npm run build:ui'));
    });
});
