import { expect } from 'chai';
import type { StoredOAuth2 } from '../../../core/auth-modes/oauth2/stored.ts';
import { connectionById } from '../../../core/connections/connection-store.ts';
import { storeAndNotify } from '../../../core/credentials/outage.ts';
import { startApp } from '../../support/app.ts';
import { canary } from '../../support/canaries.ts';
import { storeConnection, storeIntegration } from '../../support/stored.ts';
import { storedConnection } from '../../support/stored-connection.ts';
import { enableWebhooks, storedWebhooks } from '../../support/stored-webhooks.ts';
import { use } from '../../support/use.ts';

const OWNER = 'one/x';
const RULE = { marginSeconds: 900, proofHours: null };

describe('the end of an outage through refreshed credentials', function () {
  const app = use(this, startApp);

  before(async () => {
    await enableWebhooks(app.database.db);
    await storeIntegration(app.api, 'fake');
  });

  it('is stored together with its webhook or not at all', async () => {
    const { db } = app.database;
    const { connectionId } = await storeConnection(app, { key: 'fake' });
    await db('connections').where({ connection_id: connectionId }).update({ state: 'needs_reauth' });
    const renew = async () => {
      const { id } = await storedConnection(db, { connectionId });
      const connection = await connectionById(app.services, app.environmentId, id);
      if (connection === undefined) throw new Error('the connection is there');
      const credentials = { ...connection.credentials, accessToken: canary('renewed access token') } as StoredOAuth2;
      await db('refreshes').where({ connection_id: id }).update({ owner: OWNER });
      return storeAndNotify(app.services, connection, { credentials, found: {}, rule: RULE, owner: OWNER });
    };
    const outcome = async () => [
      (await storedConnection(db, { connectionId })).state,
      (await storedWebhooks(app.services)).length,
    ];

    await refuseCommits();
    expect(await renew().catch((error: Error) => error.message)).to.contain('no commit');
    expect(await outcome()).to.deep.equal(['needs_reauth', 0]);
    await db.raw('drop trigger refused on connections');
    expect(await renew()).to.equal('stored');
    expect(await outcome()).to.deep.equal(['healthy', 1]);
  });

  /** Makes every transaction that changes a connection fail at its commit, after all its statements. */
  async function refuseCommits(): Promise<void> {
    const { db } = app.database;
    await db.raw(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no commit'; end $$`);
    await db.raw(`create constraint trigger refused after update on connections
      deferrable initially deferred for each row execute function refuse()`);
  }
});
