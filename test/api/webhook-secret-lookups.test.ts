import { expect } from 'chai';
import { hmacHex } from '../support/hooked.ts';
import { HookedApp } from '../support/hooked-app.ts';
import { StatementLog } from '../support/statement-log.ts';
import { use } from '../support/use.ts';

describe('the connections whose secrets may have signed a delivery', function () {
  const hooked = use(this, () => HookedApp.open());
  const hookSecret = 'kept in the metadata, which are stored as they are';
  const body = { keys: [{ by: 'metadata', field: 'room', value: 'r1' }] };
  /** Selects the rule whose secrets are kept on connections. */
  const forged = { headers: { 'x-hook-own': hmacHex(hookSecret, 'another body') } };

  before(() => hooked.store({ metadata: { room: 'r1', hookSecret } }));

  it('are looked up only if the secrets of the rule are theirs', async () => {
    const log = new StatementLog(hooked.app.services.db);
    const hasLookup = () => [...log.drain().texts].some((sql) => /\bconnections\b/.test(sql));
    expect((await hooked.deliver(body)).status).to.equal(200);
    expect(hasLookup(), 'by the secret of the integration').to.equal(false);
    expect((await hooked.deliver(body, forged)).status).to.equal(401);
    expect(hasLookup(), 'by secrets of connections').to.equal(true);
  });

  it('are not the sender’s fault if they cannot be looked up: the delivery is not rejected as invalid', async () => {
    const { db } = hooked.app.services;
    await db.raw('alter table connections rename to hidden_connections');
    try {
      const response = await hooked.deliver(body, forged);
      expect([response.status, response.body.error.code]).to.deep.equal([500, 'server_error']);
    } finally {
      await db.raw('alter table hidden_connections rename to connections');
    }
    expect((await hooked.deliver(body, forged)).status, 'afterwards').to.equal(401);
  });
});
