import { expect } from 'chai';
import { exportEnvironment } from '../../../../core/operate/transfer/export.ts';
import { importEnvironment } from '../../../../core/operate/transfer/import.ts';
import { environmentById, updateEnvironment } from '../../../../core/tenants/environments/environment-store.ts';
import { startApp } from '../../../support/app.ts';
import { storeIntegration } from '../../../support/stored.ts';
import { use } from '../../../support/use.ts';

describe('an import', function () {
  const app = use(this, startApp);

  it('leaves nothing when the settings of the environment cannot be written, and says why', async () => {
    const { db, keys, notices } = app.services;
    await storeIntegration(app.api, 'crm');
    await updateEnvironment(db, app.environmentId, { callback_url: 'https://app.example/callback' });
    const environment = await environmentById(db, app.environmentId);
    if (environment === undefined) throw new Error('the environment is there');
    const exported: Buffer[] = [];
    await exportEnvironment({ db, keys, environment, now: new Date() }, async (line) => void exported.push(line));
    const lines = async function* () {
      yield* exported;
    };
    const options = {
      db,
      keys,
      notices,
      accountId: app.accountId,
      keepExisting: false,
      withSettings: false,
      marginSeconds: 900,
      lines,
    };
    const importAs = (name: string) => importEnvironment({ ...options, name, sandboxes: new Set() });

    await db.raw(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no settings'; end $$`);
    await db.raw('create trigger refused before update of callback_url on environments for each row execute function refuse()');
    expect(await importAs('copy').catch((error: Error) => error.message)).to.contain('no settings');
    expect(await db('environments').where({ name: 'copy' })).to.deep.equal([]);
    expect(await db('integrations').select('unique_key')).to.deep.equal([{ unique_key: 'crm' }]);

    await db.raw('drop trigger refused on environments');
    expect(await importAs('copy')).to.deep.include({ isNew: true, kept: 0 });
    expect(await db('integrations').select('unique_key')).to.have.length(2);
  });
});
