import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { staticRoutes } from '../../../core/http/static-ui.ts';
import { type HttpEdge, startEdge } from '../../support/http-edge.ts';

describe('static files', () => {
  let folder: string;
  let edge: HttpEdge;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-static-'));
    await writeFile(join(folder, 'page.html'), '<!doctype html><p>é</p>');
    await writeFile(join(folder, 'page.css'), 'p {}');
    await writeFile(join(folder, 'other.css'), 'not on the list');
    const files = [
      { path: '/ui', file: 'page.html' },
      { path: '/ui/page.css', file: 'page.css' },
    ];
    edge = await startEdge(staticRoutes(folder, files));
  });
  after(async () => {
    await edge[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  it('are served with their type, pages under a policy without inline code and never from a stale copy', async () => {
    const { status, text, headers } = await edge.as().get('/ui');
    expect([status, text]).to.deep.equal([200, '<!doctype html><p>é</p>']);
    expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(headers.get('content-security-policy'))
      .to.contain("script-src 'self'")
      .and.to.contain("frame-ancestors 'none'")
      .and.not.to.contain('unsafe');
    expect(headers.get('cache-control')).to.equal('no-cache');
  });

  it('may be kept for a while when they are no pages', async () => {
    const { headers } = await edge.as().get('/ui/page.css');
    expect([headers.get('content-type'), headers.get('cache-control')]).to.deep.equal([
      'text/css; charset=utf-8',
      'public, max-age=300',
    ]);
  });

  for (const path of ['/ui/other.css', '/ui/..%2fother.css', '/ui/page.css/', '/ui/PAGE.css', '/ui/.']) {
    it(`are not served at ${path}`, async () => {
      const { status } = await edge.raw(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect(status).to.equal(404);
    });
  }

  it('must be of a known kind', () => {
    expect(() => staticRoutes(folder, [{ path: '/x', file: 'x.exe' }])).to.throw('x.exe');
  });
});
