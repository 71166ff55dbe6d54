import { expect } from 'chai';
import { staticRoutes } from '../../../../core/server/pages/static-ui.ts';
import { makeFolders } from '../../../support/folders.ts';
import { startEdge } from '../../../support/http-edge.ts';
import { use } from '../../../support/use.ts';

const FILES = { 'page.html': '<!doctype html><p>é</p>', 'page.css': 'p {}', 'other.css': 'not on the list' };
const LISTED = [
  { path: '/ui', file: 'page.html' },
  { path: '/ui/page.css', file: 'page.css' },
];

describe('static files', function () {
  const folder = use(this, () => makeFolders(FILES));
  const edge = use(this, () => startEdge(staticRoutes(folder.path, LISTED)));

  it('are served with their type, and pages with a policy against inline code and revalidated on each use', async () => {
    const { status, text, headers } = await edge.as().get('/ui');
    expect([status, text]).to.deep.equal([200, '<!doctype html><p>é</p>']);
    expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(headers.get('content-security-policy'))
      .to.contain("script-src 'self'")
      .and.to.contain("frame-ancestors 'none'")
      .and.not.to.contain('unsafe');
    expect(headers.get('cache-control')).to.equal('no-cache');
  });

  it('may be cached for a while if they are not pages', async () => {
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

  it('must be of a known type', () => {
    expect(() => staticRoutes(folder.path, [{ path: '/x', file: 'x.exe' }])).to.throw('x.exe');
  });
});
