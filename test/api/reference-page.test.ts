import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { ERROR_STATUS } from '../../core/errors.ts';
import { createSession } from '../support/connect.ts';
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

describe('the API reference', function () {
  this.timeout(60_000);
  const app = use(this, startTenant);

  const read = async (headers: Record<string, string> = {}) => fetch(`${app.url}/docs`, { headers });

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

  it('is compressed for clients that accept it', async () => {
    const plain = await read({ 'accept-encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).to.equal(null);
    const text = await plain.text();
    for (const encoding of ['br', 'gzip']) {
      const packed = await read({ 'accept-encoding': encoding });
      expect(packed.headers.get('content-encoding')).to.equal(encoding);
      expect(Number(packed.headers.get('content-length'))).to.be.below(60_000);
      expect(await packed.text()).to.equal(text);
    }
  });

  it('describes every operation and every error code', async () => {
    const text = await (await read()).text();
    for (const [path, operations] of Object.entries(apiDocument.paths)) {
      expect(text).to.contain(` ${path}</code>`);
      const [first] = Object.values(operations);
      expect(text).to.contain(`<h3 id="${first?.operationId}">`);
    }
    for (const code of Object.keys(ERROR_STATUS)) expect(text).to.contain(`id="error-${code}"`);
  });

  it('links only to parts of the page, and has no ID twice', async () => {
    const text = await (await read()).text();
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).to.equal(ids.length);
    const targets = [...text.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);
    expect(targets.filter((href) => !ids.includes(href.slice(1)))).to.deep.equal(['openapi.json']);
  });

  it('has examples that the service understands', async () => {
    const text = await (await read()).text();
    const commands = [...text.matchAll(/<code>(curl [^<]*)<\/code>/g)].map(([, command = '']) => unescaped(command));
    expect(commands.length).to.be.above(60);
    // Deletions come last because the other commands use the data that they delete.
    commands.sort((a, b) => Number(a.includes('DELETE')) - Number(b.includes('DELETE')));
    for (const command of commands) {
      const { url, method, headers, body } = sentBy(command, {
        SVC_API_KEY: app.apiKey,
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
