import { expect } from 'chai';
import { RECORD_MEMBERS } from '../support/record-members.ts';
import { expectError } from '../support/std-error.ts';
import { storeConnection, storeIntegration } from '../support/stored.ts';
import { startTenant } from '../support/tenant.ts';
import { use } from '../support/use.ts';

const WALKED = 25;

interface Listed {
  readonly connection_id: string;
  readonly created_at: string;
  readonly created: string;
}

describe('listed connections', function () {
  const app = use(this, startTenant);
  const ids = Array.from({ length: WALKED }, (_, index) => `walk-${index}`);

  before(async () => {
    for (const key of ['one', 'two']) await storeIntegration(app.api, key);
    for (const [index, connectionId] of ids.entries()) {
      const tags = { parity: index % 2 === 0 ? 'even' : 'odd', ...(index < 4 && { small: 'yes' }) };
      await storeConnection(app, { key: index === 0 ? 'two' : 'one', connectionId, tags });
    }
  });

  const list = async (query: string): Promise<string[]> => {
    const { body } = await app.api.get(`/connections${query}`);
    return body.connections.map(({ connection_id }: Listed) => connection_id);
  };

  it('are records without credentials, newest first', async () => {
    const { body } = await app.api.get('/connections');
    expect(body.connections.map(({ connection_id }: Listed) => connection_id)).to.deep.equal(ids.toReversed());
    expect(body.next_cursor).to.equal(null);
    for (const item of body.connections) {
      expect(item).to.have.all.keys(...RECORD_MEMBERS, 'created');
      expect(item.created).to.equal(item.created_at);
    }
  });

  it('have all of the requested tags, whatever the case of the key', async () => {
    expect(await list('?tags[parity]=even&tags[small]=yes')).to.deep.equal(['walk-2', 'walk-0']);
    expect(await list('?tags[Parity]=even&tags[SMALL]=yes')).to.deep.equal(['walk-2', 'walk-0']);
    expect(await list('?tags[parity]=even&tags[small]=no')).to.deep.equal([]);
    expect(await list('?tags[parity]=EVEN')).to.deep.equal([]);
    expect(await list(`?tags[parity]=${encodeURIComponent("' or '1'='1")}`)).to.deep.equal([]);
  });

  it('are those of the requested integrations', async () => {
    expect(await list('?integrationId=two')).to.deep.equal(['walk-0']);
    expect(await list('?integrationId=one,two')).to.have.length(WALKED);
    expect(await list('?integrationId=nobody')).to.deep.equal([]);
  });

  it('are those with the requested ID', async () => {
    expect(await list('?connectionId=walk-3')).to.deep.equal(['walk-3']);
    expect(await list('?connectionId=walk-3&tags[parity]=even')).to.deep.equal([]);
  });

  for (const limit of [1, 7, WALKED - 1, WALKED, WALKED + 1]) {
    it(`are walked through ${limit} at a time, each once`, async () => {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await app.api.get(`/connections?limit=${limit}${cursor && `&cursor=${cursor}`}`);
        seen.push(...body.connections.map(({ connection_id }: Listed) => connection_id));
        cursor = body.next_cursor;
      }
      expect(seen).to.deep.equal(ids.toReversed());
    });
  }

  it('are walked through within a filter', async () => {
    const { body } = await app.api.get('/connections?tags[parity]=odd&limit=10');
    const rest = await list(`?tags[parity]=odd&cursor=${body.next_cursor}`);
    expect(body.connections).to.have.length(10);
    expect(rest).to.deep.equal(['walk-3', 'walk-1']);
  });

  it('stay in their places while new ones are added', async () => {
    const { body } = await app.api.get('/connections?limit=5');
    const late = await storeConnection(app, { key: 'one' });
    const next = await list(`?limit=5&cursor=${body.next_cursor}`);
    expect(next).to.deep.equal(ids.toReversed().slice(5, 10));
    await app.api.delete(`/connections/${late.connectionId}?provider_config_key=one`);
  });

  it('come in numbered pages from 0', async () => {
    expect(await list('?limit=10&page=0')).to.deep.equal(ids.toReversed().slice(0, 10));
    expect(await list('?limit=10&page=2')).to.deep.equal(ids.toReversed().slice(20));
    expect(await list('?limit=10&page=3')).to.deep.equal([]);
  });

  for (const limit of ['1', '2000']) {
    it(`take the limit ${limit}`, async () => {
      expect((await app.api.get(`/connections?limit=${limit}`)).status).to.equal(200);
    });
  }

  const wrong = [
    'limit=0',
    'limit=2001',
    'limit=',
    'limit=-1',
    'limit=1.5',
    'limit=1e2',
    'limit=0x10',
    'limit=%201',
    'limit[]=5',
  ];
  const more = ['limit=1&limit=2', 'page=-1', 'page=', 'page=100001', 'cursor=', 'cursor=x', 'cursor=YzE!', 'page=0&cursor=YzE'];
  const tags = [
    'tags=x',
    'tags[a][b]=x',
    'tags[a]=1&tags[a]=2',
    'tags[a]=1&tags[A]=1',
    'tags[1]=x',
    'tags[a]=',
    'connectionId=',
    'x=y',
  ];
  for (const query of [...wrong, ...more, ...tags]) {
    it(`refuse ?${query}`, async () => {
      expectError(await app.api.get(`/connections?${query}`), 'invalid_query_params');
    });
  }
});
