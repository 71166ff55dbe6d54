import { expect } from 'chai';
import { addMissingSearchWords } from '../../../core/connections/search-word-store.ts';
import { signedInAs, type TestMember } from '../../support/dashboard/members.ts';
import { storeMany } from '../../support/many-connections.ts';
import { expectError } from '../../support/std-error.ts';
import { storeConnection, storeIntegration } from '../../support/stored.ts';
import { startTenant } from '../../support/tenant.ts';
import { use } from '../../support/use.ts';

const HOSTILE = `<img src=x onerror=alert(1)> ${'ü'.repeat(200)}`;

const KELVIN = { end_user_display_name: HOSTILE, end_user_email: 'kelvin@acme.example', end_user_id: 'u2' };
const ADA = { id: 'u1', display_name: 'Ada Lovelace', email: 'ada@acme.example', tags: {} };
const FETCHED = new Date('2030-01-01T10:42:00Z');

interface Row {
  readonly connection_id: string;
  readonly [member: string]: unknown;
}

describe('connections as the dashboard lists them', function () {
  const app = use(this, startTenant);
  let viewer: TestMember;
  const stored: Record<string, string> = {};
  const get = async (path: string) => (await viewer.ui.get(`/api/ui/e/dev/${path}`)).body;
  const idsOf = async (query: string) =>
    (await get(`connection-rows?${query}`)).data.map(({ connection_id }: Row) => connection_id);

  before(async () => {
    viewer = await signedInAs(app, 'viewer');
    const { db, keys } = app.services;
    for (const key of ['many', 'acme']) await storeIntegration(app.api, key);
    const { id: integrationId } = await db('integrations').where({ unique_key: 'many' }).first('id');
    await storeMany(db, keys, { environmentId: app.environmentId, integrationId, count: 60 });
    const change: Record<string, object> = {
      tagged: { tags: { ...KELVIN, organization_id: 'acme' } },
      legacy: { end_user: { ...ADA, organization: { id: 'o-1', display_name: null } } },
      broken: { state: 'needs_reauth', tags: { organization_id: 'acme', plan: '50%' } },
      late: { state: 'degraded', last_fetched_at: FETCHED },
      gone: { deleted_at: new Date(), state: 'needs_reauth' },
    };
    for (const [name, columns] of Object.entries(change)) {
      const { connectionId } = await storeConnection(app, { key: 'acme' });
      await db('connections')
        .where({ connection_id: connectionId })
        .update({ tags: {}, is_searchable: false, ...columns });
      stored[name] = connectionId;
    }
    await addMissingSearchWords(app.services);
  });

  it('says whose each is, by tag or by the deprecated end user, and when it was used', async () => {
    const { data } = await get('connection-rows?integration=acme');
    const of = (name: string) => data.find(({ connection_id }: Row) => connection_id === stored[name]);
    expect(of('tagged')).to.include({ display_name: HOSTILE, email: 'kelvin@acme.example', state: 'healthy' });
    expect(of('tagged')).to.include({ end_user_id: 'u2', organization: 'acme' });
    expect(of('legacy')).to.include({
      display_name: 'Ada Lovelace',
      email: 'ada@acme.example',
      end_user_id: 'u1',
      organization: 'o-1',
    });
    expect(of('broken')).to.include({ display_name: null, email: null, end_user_id: null, state: 'needs_reauth' });
    expect(JSON.stringify(data)).to.not.match(/credentials|metadata|access_token/);
    expect([of('late').last_fetched_at, of('broken').last_fetched_at]).to.deep.equal([FETCHED.toISOString(), null]);
  });

  it('lists all that are not deleted, newest first, page after page, each once', async () => {
    const first = await get('connection-rows');
    const second = await get(`connection-rows?cursor=${first.next_cursor}`);
    expect([first.data.length, second.data.length, second.next_cursor]).to.deep.equal([50, 14, null]);
    const ids = [...first.data, ...second.data].map(({ connection_id }: Row) => connection_id);
    expect(new Set(ids).size).to.equal(64);
    expect(ids.slice(0, 4)).to.deep.equal([stored['late'], stored['broken'], stored['legacy'], stored['tagged']]);
  });

  it('lists as many on a page as are asked for, up to 500', async () => {
    const { data, next_cursor: next } = await get('connection-rows?limit=64');
    expect([data.length, next]).to.deep.equal([64, null]);
    expect((await get('connection-rows?limit=2')).data).to.have.length(2);
    expectError(await viewer.ui.get('/api/ui/e/dev/connection-rows?limit=501'), 'invalid_query_params');
  });

  it('lists the oldest first', async () => {
    const first = await get('connection-rows?sort=oldest');
    const second = await get(`connection-rows?sort=oldest&cursor=${first.next_cursor}`);
    const ids = [...first.data, ...second.data].map(({ connection_id }: Row) => connection_id);
    expect([new Set(ids).size, ids.length, second.next_cursor]).to.deep.equal([64, 64, null]);
    expect(ids.slice(-4)).to.deep.equal([stored['tagged'], stored['legacy'], stored['broken'], stored['late']]);
  });

  it('filters by all parameters of the query together', async () => {
    const cases: readonly [string, readonly string[]][] = [
      ['search=KELVIN', ['tagged']],
      ['search=lovelace', ['legacy']],
      ['search=%25', []],
      ['state=needs_reauth', ['broken']],
      ['state=degraded,needs_reauth', ['late', 'broken']],
      ['tags[organization_id]=acme', ['broken', 'tagged']],
      ['tags[organization_id]=acme&tags[plan]=50%25', ['broken']],
      ['tags[organization_id]=acme&state=healthy&integration=many', []],
    ];
    for (const [query, names] of cases) expect(await idsOf(query), query).to.deep.equal(names.map((name) => stored[name]));
  });

  it('accepts no invalid cursor, state or tag', async () => {
    for (const query of ['cursor=WzFd', 'state=ill', 'state=healthy,ill', 'sort=name', 'tags[1]=x'])
      expectError(await viewer.ui.get(`/api/ui/e/dev/connection-rows?${query}`), 'invalid_query_params');
  });

  it('counts them by state, and those that need attention', async () => {
    const { data } = await get('connections-count');
    expect(data).to.deep.equal({ healthy: 62, degraded: 1, needs_reauth: 1, pending: 0, total: 64, needs_attention: 1 });
  });
});
