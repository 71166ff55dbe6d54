import { expect } from 'chai';
import { touchKeys } from '../../../../core/tenants/api-keys/api-key-store.ts';
import { startApp } from '../../../support/app.ts';
import { cloneDatabase } from '../../../support/database.ts';
import { newServiceEnv } from '../../../support/service-env.ts';
import { useEach } from '../../../support/use.ts';

describe('last_used_at of an API key', function () {
  const database = useEach(this, cloneDatabase);

  const ofKey = async (id: number): Promise<Date | null> =>
    (await database.db('api_keys').where({ id }).first('last_used_at')).last_used_at;

  it('is written for keys that were used, at the latest when the instance ends', async () => {
    {
      await using app = await startApp({ env: newServiceEnv(), database });
      for (let call = 0; call < 3; call += 1) expect((await app.api.get('/connections')).status).to.equal(200);
    }
    const rows = await database.db('api_keys').select('environment_id', 'last_used_at');
    const used = rows.filter(({ environment_id: owner }) => owner !== null);
    expect(used).to.have.length(1);
    expect(Date.now() - used[0].last_used_at.getTime()).to.be.within(-1_000, 30_000);
    expect(rows.find(({ environment_id: owner }) => owner === null).last_used_at).to.equal(null);
  });

  it('never goes back', async () => {
    const [{ id: accountId }] = await database.db('accounts').insert({ name: 'a' }).returning('id');
    const key = { name: 'k', secret_hash: Buffer.alloc(32, 1), scopes: ['account:*'], last4: 'abcd', mac: '' };
    const [{ id }] = await database
      .db('api_keys')
      .insert({ account_id: accountId, ...key })
      .returning('id');
    const later = new Date('2030-01-01T00:00:00Z');
    await touchKeys(database.db, [id], later);
    await touchKeys(database.db, [id], new Date('2029-01-01T00:00:00Z'));
    expect(await ofKey(id)).to.deep.equal(later);
  });
});
