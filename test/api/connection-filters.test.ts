import { expect } from 'chai';
import { addMissingSearchWords } from '../../core/connections/search-word-store.ts';
import { startApp } from '../support/app.ts';
import { mustBe } from '../support/connect.ts';
import { expectError } from '../support/std-error.ts';
import { storeConnection, storeIntegration, storeTenant } from '../support/stored.ts';
import { use } from '../support/use.ts';

interface Stored {
  readonly id: string;
  readonly key?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly end_user?: { readonly id: string; readonly email?: string; readonly display_name?: string };
  readonly organization?: string;
}

const CONNECTIONS: readonly Stored[] = [
  { id: 'plain' },
  { id: 'Mixed-CASE', key: 'two' },
  { id: '100%' },
  { id: '1000' },
  { id: 'under_score' },
  { id: 'underXscore' },
  { id: 'back\\slash' },
  { id: 'ÜMLAUT' },
  { id: 'c1', tags: { end_user_display_name: 'Grace Hopper', end_user_email: 'grace@navy.example' } },
  { id: 'c2', end_user: { id: 'u2', display_name: 'Ada Lovelace', email: 'ada@engine.example' } },
  { id: 'c3', tags: { end_user_id: 'u2', organization_id: 'o1' } },
  { id: 'c4', key: 'two', end_user: { id: 'u4' }, organization: 'o1' },
  { id: 'c5', tags: { note: 'Sold by Zoë', end_user_id: 'U3' } },
];

/** The IDs of the connections that each query finds, oldest first. */
const FOUND: Readonly<Record<string, readonly string[]>> = {
  'search=plain': ['plain'],
  'search=PLAI': ['plain'],
  'search=lai': [],
  'search=mixed-case': ['Mixed-CASE'],
  'search=100%25': ['100%'],
  'search=%25': [],
  'search=100': ['100%', '1000'],
  'search=under_': ['under_score'],
  'search=score': ['under_score'],
  'search=back%5Cs': ['back\\slash'],
  'search=%5C%25': [],
  'search=%C3%BCmlaut': ['ÜMLAUT'],
  'search=umlaut': ['ÜMLAUT'],
  'search=hopper': ['c1'],
  'search=GRACE%40navy': ['c1'],
  'search=lovelace': ['c2'],
  'search=%40ENGINE.example': ['c2'],
  'search=nowhere': [],
  'search=u2': ['c2', 'c3'],
  'search=o1': ['c3', 'c4'],
  'search=grace+HOP': ['c1'],
  'search=hopper+lovelace': [],
  'search=zoe+sold': ['c5'],
  'search=+grace+-+': ['c1'],
  'search=case&integrationId=two': ['Mixed-CASE'],
  'search=c&tags[end_user_id]=u2': ['c3'],
  'search=%27%20or%20true--': [],
  'endUserId=u2': ['c2', 'c3'],
  'endUserId=U3': ['c5'],
  'endUserId=u4': ['c4'],
  'endUserId=u': [],
  'endUserId=u2&integrationId=two': [],
  'endUserId=u2&endUserOrganizationId=o1': ['c3'],
  'endUserOrganizationId=o1': ['c3', 'c4'],
  'endUserOrganizationId=o2': [],
  'connectionId=100%25': ['100%'],
  'connectionId=100%25&search=x': [],
};

describe('connections found by filters', function () {
  const app = use(this, startApp);

  before(async () => {
    const other = await storeTenant(app, 'other');
    for (const api of [app.api, other.api]) for (const key of ['one', 'two']) await storeIntegration(api, key);
    for (const { id, key = 'one', tags = {}, end_user, organization } of CONNECTIONS) {
      for (const environmentId of [1, other.environmentId]) {
        await storeConnection(app, { key, connectionId: id, tags, environmentId });
      }
      if (end_user === undefined) continue;
      const { email = null, display_name = null } = end_user;
      const stored = { id: end_user.id, email, display_name, tags: {}, organization: organizationOf(organization) };
      await app.database.db('connections').where({ connection_id: id }).update({ end_user: stored, is_searchable: false });
    }
    await addMissingSearchWords(app.services);
  });

  const organizationOf = (id: string | undefined) => (id === undefined ? null : { id, display_name: null });
  const find = async (query: string): Promise<string[]> => {
    const { body } = await app.api.get(`/connections?${query}`);
    return body.connections.map(({ connection_id }: { connection_id: string }) => connection_id).toReversed();
  };

  for (const [query, ids] of Object.entries(FOUND)) {
    it(`by ?${query} are ${ids.join(', ') || 'none'}`, async () => {
      expect(await find(query)).to.deep.equal(ids);
    });
  }

  it('are walked through within a search', async () => {
    const first = await app.api.get('/connections?search=c&limit=2');
    const rest = await find(`search=c&cursor=${first.body.next_cursor}`);
    const all = [...rest, ...first.body.connections.map((item: { connection_id: string }) => item.connection_id).toReversed()];
    expect(all).to.deep.equal(await find('search=c'));
  });

  it('are found by new tags at once, and no longer by the former ones', async () => {
    mustBe(200, await app.api.patch('/connections/c5?provider_config_key=one', { tags: { note: 'Lost to Yves' } }));
    expect([await find('search=lost+yves'), await find('search=sold')]).to.deep.equal([['c5'], []]);
  });

  for (const parameter of ['search', 'endUserId', 'endUserOrganizationId', 'connectionId']) {
    it(`may be filtered by ${parameter} with 1 to 255 characters`, async () => {
      expect(await find(`${parameter}=${'q'.repeat(255)}`)).to.deep.equal([]);
      for (const value of ['', 'q'.repeat(256)]) {
        expectError(await app.api.get(`/connections?${parameter}=${value}`), 'invalid_query_params', [parameter]);
      }
      for (const query of [`${parameter}=a&${parameter}=b`, `${parameter}[]=a`, `${parameter}[a]=b`, `${parameter}=%00`]) {
        expectError(await app.api.get(`/connections?${query}`), 'invalid_query_params');
      }
    });
  }

  for (const query of ['enduserid=x', 'userId=x', 'q=x', 'metadata=x', 'end_user_id=x']) {
    it(`cannot be filtered by ?${query}`, async () => {
      expectError(await app.api.get(`/connections?${query}`), 'invalid_query_params');
    });
  }
});
