import { expect } from 'chai';
import { deleteSessionsOf } from '../../../../core/connections/connect-sessions/session-store.ts';
import { createSession } from '../../../support/connect.ts';
import { storeTenant } from '../../../support/stored.ts';
import { startTenant } from '../../../support/tenant.ts';
import { use } from '../../../support/use.ts';

describe('the connect sessions of an environment', function () {
  const app = use(this, startTenant);

  it('are deleted up to a limit, and those of other environments stay', async () => {
    const { db } = app.services;
    const other = await storeTenant(app, 'other');
    const left = async (environmentId: number) => (await db('connect_sessions').where({ environment_id: environmentId })).length;
    for (const api of [app.api, other.api, app.api, other.api, app.api]) await createSession({ url: app.url, api });

    expect(await deleteSessionsOf(db, other.environmentId, 1)).to.equal(1);
    expect(await deleteSessionsOf(db, other.environmentId, 100)).to.equal(1);
    expect([await left(app.environmentId), await left(other.environmentId)]).to.deep.equal([3, 0]);
  });
});
