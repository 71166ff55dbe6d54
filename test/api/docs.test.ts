import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { publicRoutes as routes } from '../../core/api/routes.ts';
import { ERROR_STATUS } from '../../core/errors.ts';
import type { Guide } from '../../core/server/docs/guide.ts';
import { readBuiltUi } from '../../core/server/pages/built-ui.ts';
import { DIST } from '../../ui/pipeline/manifest.ts';
import { createSession } from '../support/connect.ts';
import { crawl, idsOf } from '../support/crawl.ts';
import { expectErrorPage } from '../support/error-page.ts';
import { apiDocument } from '../support/requests/operations.ts';
import { startTenant } from '../support/tenant.ts';
import { use } from '../support/use.ts';

/** Statuses of responses that usually mean that the example itself is wrong. */
const MALFORMED = [400, 401, 403, 405, 415];
/** Texts of responses that have one of these statuses because of the stored data, although the example is right. */
const ABOUT_DATA = [
  'no webhook URL',
  'there is no shared app',
  'missing_client_id',
  'invalid_auth_mode',
  'integration_not_allowed',
  'missing_api_url',
];

/** Kept for the pages of the catalogue. */
const KEPT = ['providers'];

describe('the documentation', function () {
  this.timeout(60_000);
  const app = use(this, startTenant);
  let found: Awaited<ReturnType<typeof crawl>>;
  before(async () => {
    found = await crawl(`${app.url}/docs`, (url) => /\/docs(\/|$)/.test(url));
  });

  const read = async (headers: Record<string, string> = {}) => fetch(`${app.url}/docs/webhooks`, { headers });
  const pageAt = (path: string) => found.pages.get(`${app.url}/docs/${path}`) ?? expect.fail(`no page leads to ${path}`);
  const referencePages = () => [...found.pages].flatMap(([url, text]) => (url.includes('/docs/reference/') ? [text] : []));

  it('is sent again only if it has changed', async () => {
    const first = await read();
    const etag = first.headers.get('etag') ?? '';
    expect(etag).to.match(/^W\/"[\w-]{43}"$/);
    for (const known of [etag, `"other", ${etag}`]) {
      const again = await read({ 'if-none-match': known });
      expect([again.status, await again.text()]).to.deep.equal([304, '']);
    }
    expect((await read({ 'if-none-match': '"other"' })).status).to.equal(200);
  });

  it('is compressed for clients that accept it, a page of the reference to less than 30 KB', async () => {
    for (const path of ['webhooks', 'search.json', 'reference/connections']) {
      const packedBy = (encoding: string) => fetch(`${app.url}/docs/${path}`, { headers: { 'accept-encoding': encoding } });
      const plain = await packedBy('identity');
      expect(plain.headers.get('content-encoding')).to.equal(null);
      const text = await plain.text();
      for (const encoding of ['br', 'gzip']) {
        const packed = await packedBy(encoding);
        expect(packed.headers.get('content-encoding')).to.equal(encoding);
        if (path.startsWith('reference')) expect(Number(packed.headers.get('content-length'))).to.be.below(30_000);
        expect(await packed.text()).to.equal(text);
      }
    }
  });

  it('describes every operation and every error code', () => {
    const reference = referencePages().join('\n');
    for (const [path, operations] of Object.entries(apiDocument.paths)) {
      expect(reference).to.contain(` ${path}</code>`);
      const [first] = Object.values(operations);
      expect(reference).to.contain(`<h2 id="${first?.operationId}">`);
    }
    const errors = idsOf(pageAt('errors'));
    expect(errors).to.include.members(Object.keys(ERROR_STATUS));
    expect(errors).to.include.members(Object.values(ERROR_STATUS).map((status) => `status-${status}`));
  });

  it('has no link that leads nowhere, and no ID twice on a page', () => {
    expect(found.pages.size).to.be.above(30);
    expect(found.broken).to.deep.equal([]);
    for (const [url, text] of found.pages) {
      const ids = idsOf(text);
      expect(ids, url).to.have.lengthOf(new Set(ids).size);
    }
  });

  it('loads nothing but its own script', () => {
    for (const text of found.pages.values()) {
      const loaded = [...text.matchAll(/<(?:script|link|img|iframe|source|video)\b[^>]*>/g)].map(([tag]) => tag);
      expect(loaded).to.have.lengthOf(1);
      expect(loaded[0]).to.match(/^<script type="module" src="\/docs\/assets\/main-[\w-]+\.js">$/);
      expect(text).not.to.match(/<[^>]+ style=|<[^>]+ on\w+="|url\(|@import/);
    }
  });

  it('has no guide whose name is that of another page', () => {
    const own = routes.flatMap(({ path }) => /^\/docs\/([^/:]+)/.exec(path)?.[1] ?? []);
    expect(own).to.include.members(['assets', 'reference', 'search.json']);
    const { files } = readBuiltUi(DIST) ?? expect.fail('nothing is built');
    const guides: readonly Guide[] = JSON.parse(String(files.get('docs/guides.json')?.content));
    expect(guides.map(({ slug }) => slug)).not.to.include.oneOf([...own, ...KEPT]);
    for (const name of KEPT) expect(own).not.to.include(name);
  });

  it('says of an unknown page that there is none, and leads on', async () => {
    for (const path of ['nothing', 'reference/nothing', 'providers']) {
      const response = await fetch(`${app.url}/docs/${path}`);
      expect([response.status, response.headers.get('content-type')]).to.deep.equal([404, 'text/html; charset=utf-8']);
      expect(await response.text())
        .to.contain('There is no such page')
        .and.to.contain('href="/docs/start-here"');
    }
    const deeper = await fetch(`${app.url}/docs/reference/a/b`, { headers: { accept: 'text/html' } });
    expectErrorPage({ headers: Object.fromEntries(deeper.headers), text: await deeper.text() }, 404);
  });

  it('says of an unknown method that it is not allowed, as every page does', async () => {
    const response = await fetch(`${app.url}/docs/webhooks`, { method: 'PUT', headers: { accept: 'text/html' } });
    expectErrorPage({ headers: Object.fromEntries(response.headers), text: await response.text() }, 405);
  });

  it('has examples that the service understands', async () => {
    const text = referencePages().join('\n');
    const commands = [...text.matchAll(/<code>(curl [^<]*)<\/code>/g)].map(([, command = '']) => unescaped(command));
    expect(commands.length).to.be.above(60);
    // Deletions come last because the other commands use the data that they delete.
    commands.sort((a, b) => Number(a.includes('DELETE')) - Number(b.includes('DELETE')));
    for (const command of commands) {
      const { url, method, headers, body } = sentBy(command, {
        SVC_KEY: app.apiKey,
        SVC_SESSION_TOKEN: await createSession(app),
      });
      const isAccounts = /\/environments\b|\/environment\/api-keys/.test(url);
      if (isAccounts) headers['authorization'] = `Bearer ${app.accountKey}`;
      const response = await fetch(url, { method, headers, redirect: 'manual', ...(body !== undefined && { body }) });
      const answer = await response.text();
      const isAboutData = ABOUT_DATA.some((words) => answer.includes(words));
      const isPage = response.headers.get('content-type')?.startsWith('text/html');
      if (!isAboutData && !isPage) expect(MALFORMED, `${command}\n${answer}`).not.to.include(response.status);
    }
  });
});

function unescaped(text: string): string {
  const characters: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? '');
}

/** Returns the request that a curl command sends after a shell has parsed it. */
function sentBy(command: string, env: Record<string, string>) {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const args = execFileSync('/bin/sh', ['-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1);
  const valuesOf = (option: string) => args.filter((_, index) => args[index - 1] === option);
  const [url = ''] = args.filter((arg) => /^https?:/.test(arg));
  const headers = valuesOf('-H').map((header) => [
    header.slice(0, header.indexOf(':')).toLowerCase(),
    header.replace(/^.*?: /s, ''),
  ]);
  return {
    url,
    method: valuesOf('-X')[0] ?? 'GET',
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: valuesOf('-d')[0],
  };
}
