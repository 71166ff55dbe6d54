import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { sandboxAt } from '#contract';
import { startApp } from '../support/app.ts';
import { createSession } from '../support/connect.ts';
import { projectFolder } from '../support/source-files.ts';
import { expectError } from '../support/std-error.ts';
import { clientWith, storeIntegration } from '../support/stored.ts';
import { use } from '../support/use.ts';

describe('providers', function () {
  const app = use(this, startApp);

  const namesOf = async (query: string): Promise<string[]> => {
    const { body } = await app.api.get(`/providers${query}`);
    return body.data.map(({ name }: { name: string }) => name);
  };

  it('are listed by slug', async () => {
    const names = await namesOf('');
    expect(names).to.include.members(['generic-oauth', 'github', 'slack']);
    expect(names).to.deep.equal(names.toSorted());
  });

  it('are found by a part of slug or name, in whatever case', async () => {
    expect(await namesOf('?search=HUBS')).to.deep.equal(['hubspot']);
    expect(await namesOf('?search=HUB'))
      .to.include.members(['github', 'hubspot'])
      .and.not.to.include('slack');
    expect(await namesOf('?search=generic%20basic')).to.deep.equal(['generic-basic']);
    expect(await namesOf('?search=nobody-has-this')).to.deep.equal([]);
  });

  for (const [words, name] of [
    ['dev-tools', 'github'],
    ['Dev tools', 'github'],
    ['oauth', 'github'],
    ['client credentials', 'generic-client-credentials'],
    ['API key', 'generic-api-key'],
    ['api_key', 'generic-api-key'],
  ] as const) {
    it(`are found by ${words}, a category or an auth mode`, async () => {
      expect(await namesOf(`?search=${encodeURIComponent(words)}`))
        .to.include(name)
        .and.not.to.include('generic-basic');
    });
  }

  it('of the sandbox are listed for all environments but those of production', async () => {
    expect(await namesOf('?search=sandbox')).to.include('sandbox-oauth2');
    await app.database.db('environments').where({ name: 'dev' }).update({ is_production: true });
    expect(await namesOf('?search=sandbox')).to.deep.equal([]);
    await app.database.db('environments').where({ name: 'dev' }).update({ is_production: false });
  });

  it('are all found by an empty search, and by one of 255 characters none', async () => {
    expect(await namesOf('?search=')).to.deep.equal(await namesOf(''));
    expect(await namesOf(`?search=${'x'.repeat(255)}`)).to.deep.equal([]);
  });

  for (const search of ['.*', '%', '_', '[', '(', '\\', "'"]) {
    it(`are searched for ${search} as it is written`, async () => {
      expect(await namesOf(`?search=${encodeURIComponent(search)}`)).not.to.include('slack');
    });
  }

  describe('in parts', () => {
    const list = async (query: string) => (await app.api.get(`/providers?${query}`)).body;

    it('are confined to a category and to an auth mode', async () => {
      const all = (await list('')).data as { name: string; auth_mode: string; categories?: string[] }[];
      const category = all.find(({ categories }) => categories !== undefined)?.categories?.[0] ?? expect.fail('no category');
      const named = (isMeant: (one: (typeof all)[number]) => boolean) => all.filter(isMeant).map(({ name }) => name);
      expect(await namesOf(`?category=${category}`)).to.deep.equal(named(({ categories = [] }) => categories.includes(category)));
      expect(await namesOf('?auth_mode=API_KEY')).to.deep.equal(named(({ auth_mode }) => auth_mode === 'API_KEY'));
      expect(await namesOf('?category=no-such-category')).to.deep.equal([]);
    });

    it('have the requested members and no others', async () => {
      const { data } = await list('search=gitlab&fields=name,auth_mode,webhook');
      expect(data).to.deep.include({ name: 'gitlab', auth_mode: 'OAUTH2' });
      for (const query of ['fields=', 'fields=name,password', 'fields=name,,docs'])
        expectError(await app.api.get(`/providers?${query}`), 'invalid_query_params');
    });

    it('are walked through page by page', async () => {
      const names: string[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const page: { data: { name: string }[]; next_cursor: string | null } = await list(
          `limit=3&fields=name${cursor === undefined ? '' : `&cursor=${cursor}`}`,
        );
        expect(page.data).to.have.length.within(1, 3);
        names.push(...page.data.map(({ name }) => name));
        cursor = page.next_cursor;
      }
      expect(names).to.deep.equal(await namesOf(''));
      expect(await list('')).not.to.have.property('next_cursor');
      for (const query of ['limit=0', 'limit=2001', 'cursor=YQ', 'limit=1&cursor=*'])
        expectError(await app.api.get(`/providers?${query}`), 'invalid_query_params');
    });
  });

  for (const query of [`?search=${'x'.repeat(256)}`, '?search=a&search=b', '?search[x]=a', '?name=github']) {
    it(`are not listed with ${query.slice(0, 20)}`, async () => {
      expectError(await app.api.get(`/providers${query}`), 'invalid_query_params');
    });
  }

  it('are each the whole definition as it is in its file, with name and logo, in the list and alone', async () => {
    const { body } = await app.api.get('/providers');
    expect(body.data).to.have.length.above(5);
    for (const listed of body.data) {
      const file = [`plugins/${listed.name}/provider.json`, `providers/${listed.name}/provider.json`].find((path) =>
        existsSync(join(projectFolder, path)),
      );
      const definition = sandboxAt(JSON.parse(readFileSync(join(projectFolder, file ?? ''), 'utf8')), app.url);
      // Definitions that extend others are tested in `extended.test.ts`.
      if (definition.extends !== undefined) continue;
      const { proof, ...rest } = listed;
      expect(rest).to.deep.equal({ ...definition, name: listed.name, logo_url: `${app.url}/logos/${listed.name}.svg` });
      expect(proof).to.have.all.keys('level', 'at');
      expect((await app.api.get(`/providers/${listed.name}`)).body).to.deep.equal({ data: listed });
      expect((await app.client().get(`/logos/${listed.name}.svg`)).status, listed.name).to.equal(200);
    }
  });

  it('are not shown without a key, or with a key of another scope', async () => {
    expectError(await app.client().get('/providers'), 'missing_auth_header');
    const other = await clientWith(app, 'environment:integrations:read');
    for (const path of ['/providers', '/providers/github']) expectError(await other.get(path), 'forbidden');
  });

  it('are shown as in their definition, with name and logo', async () => {
    const { body } = await app.api.get('/providers/github');
    expect(body.data).to.include({ name: 'github', display_name: 'GitHub', auth_mode: 'OAUTH2' });
    expect(body.data.logo_url).to.equal(`${app.url}/logos/github.svg`);
  });

  for (const slug of ['nobody', 'GitHub', 'constructor', 'toString', 'github%2F..']) {
    it(`do not include "${slug}"`, async () => {
      expectError(await app.api.get(`/providers/${slug}`), 'not_found');
    });
  }

  it('have logos that anyone may load', async () => {
    const response = await app.client().get('/logos/github.svg');
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('image/svg+xml');
    expect(response.headers.get('content-security-policy')).to.contain("default-src 'none'");
    expect(response.text).to.contain('<svg');
  });

  it('have a monogram where there is no logo, and no provider', async () => {
    const { status, text, headers } = await app.client().get('/logos/nobody-knows.svg');
    expect({ status, type: headers.get('content-type') }).to.deep.equal({ status: 200, type: 'image/svg+xml' });
    expect(text).to.include('>NK</text>');
  });

  for (const file of ['github', 'github.png', '..%2Fgithub%2Flogo.svg', 'GITHUB.svg', 'github.svg.svg']) {
    it(`have no logo called ${file}`, async () => {
      expectError(await app.client().get(`/logos/${file}`), 'invalid_uri_params');
    });
  }

  it('are, for a session, those of the integrations it allows', async () => {
    await storeIntegration(app.api, 'one');
    const token = await createSession(app, { allowed_integrations: ['one'] });
    const { body } = await app.client(token).get('/providers');
    expect(body.data.map(({ name }: { name: string }) => name)).to.deep.equal(['generic-oauth']);
    expect((await app.client(token).get('/providers/generic-oauth')).status).to.equal(200);
    expectError(await app.client(token).get('/providers/github'), 'not_found');
  });
});
