import { expect } from 'chai';
import { searchPage } from '../../../core/connections/connection-search-store.ts';
import { addMissingSearchWords } from '../../../core/connections/search-word-store.ts';
import { KeyRing } from '../../../core/kit/key-ring.ts';
import { cloneDatabase } from '../../support/database.ts';
import { newServiceEnv } from '../../support/service-env.ts';
import { use } from '../../support/use.ts';
import { insertConnection } from '../support/insert-connection.ts';

const ROWS = 400;
/** How often the words are: in every connection, in every second, in every third … and in the oldest ones only. */
const WORDS: Readonly<Record<string, (n: number) => boolean>> = {
  all: () => true,
  half: (n) => n % 2 === 0,
  third: (n) => n % 3 === 0,
  odd: (n) => n % 2 === 1,
  rare: (n) => n % 97 === 0,
  oldest: (n) => n < 60,
};
const SEARCHES = [
  'all',
  'al',
  'half third',
  'half odd',
  'rare all',
  'oldest',
  'oldest half',
  'rare oldest third',
  'none',
  'all none',
];
/** Limits by which all terms are rare, none is, and some are. */
const LIMITS = [
  { common: 1_000, examined: 10 },
  { common: 1, examined: 10 },
  { common: 1, examined: 1_000 },
  { common: 100, examined: 50 },
];

describe('a search among connections', function () {
  const database = use(this, cloneDatabase);
  let environmentId: number;
  /** The row IDs, the oldest first. */
  let ids: readonly number[];

  before(async () => {
    const { db } = database;
    await insertConnection(db, {});
    const { environment_id, integration_id } = await db('connections').first();
    await db('connections').delete();
    environmentId = environment_id;
    const rows = Array.from({ length: ROWS }, (_, n) => {
      const said = Object.keys(WORDS).filter((word) => WORDS[word]?.(n));
      // Two words of a connection may have the same prefix: it is found once.
      return {
        environment_id,
        integration_id,
        connection_id: `c${n}`,
        credentials: '',
        tags: { said: `${said.join(' ')} allways` },
      };
    });
    ids = (await db('connections').insert(rows, ['id'])).map(({ id }: { id: number }) => id);
    await addMissingSearchWords({ db, keys: KeyRing.parse(newServiceEnv().SVC_ENCRYPTION_KEYS) });
  });

  const expected = (search: string) => {
    const isFound = (n: number) => search.split(' ').every((term) => (term === 'al' ? true : (WORDS[term]?.(n) ?? false)));
    return ids.filter((_, n) => isFound(n));
  };

  for (const limits of LIMITS) {
    for (const order of ['asc', 'desc'] as const) {
      it(`finds the same pages, ${order}, where ${JSON.stringify(limits)}`, async () => {
        const { db } = database;
        for (const search of SEARCHES) {
          const all = order === 'asc' ? expected(search) : expected(search).toReversed();
          for (const offset of [0, 7, 250]) {
            const asked = { environmentId, terms: search.split(' '), order, limit: 20, offset };
            const passing = () => db('connections').where({ environment_id: environmentId }).select('id');
            expect(await searchPage(db, asked, passing, limits), `${search} from ${offset}`).to.deep.equal(
              all.slice(offset, offset + 20),
            );
          }
        }
      });
    }
  }

  it('gives words to each connection once, and forgets them with the connection', async () => {
    const { db } = database;
    expect(await db('connections').where({ is_searchable: false })).to.deep.equal([]);
    const [gone] = ids;
    expect((await db('connection_words').where({ connection_id: gone })).length).to.be.above(3);
    await db('connections').where({ id: gone }).delete();
    expect(await db('connection_words').where({ connection_id: gone })).to.deep.equal([]);
  });
});
