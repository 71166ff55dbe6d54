import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { enableWebhooks } from '../support/stored-webhooks.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

describe('the inbox of an environment', function () {
  const app = use(this, () => startApp({ env: { SVC_OUTBOUND_ALLOW: '' } }));
  const environments = () => app.database.db('environments').where({ id: 1 });
  const inbox = async () => (await app.api.get('/webhook-inbox')).body.data;
  const addressOf = (uuid: string) => `${app.url}/sandbox/inbox/${uuid}`;

  before(async () => {
    const { uuid } = (await environments().first('uuid')) ?? {};
    await enableWebhooks(app.services.db, { webhook_url: addressOf(uuid) });
    app.services.deliverer.start();
  });
  afterEach(() => environments().update({ is_production: false }));

  async function send(status = 'delivered'): Promise<void> {
    const { body } = await app.api.post('/webhook-messages/test', { type: 'auth' });
    const path = `/webhook-messages/${body.data.id}`;
    await until('it was attempted', async () => {
      const { data } = (await app.api.get(path)).body;
      return status === 'delivered' ? data.status === status : data.attempts.length > 0;
    });
  }

  it('accepts webhooks as an application does, and says whether they are signed', async () => {
    await send();
    const [entry] = await inbox();
    expect(entry).to.include({ signature_valid: true });
    expect(entry.payload).to.include({ type: 'auth' });
    expect(Object.keys(entry.headers)).to.include('webhook-id').and.not.include('host');
  });

  it('keeps the latest fifty', async () => {
    for (let count = 0; count < 52; count += 1) await send();
    const entries = await inbox();
    expect(entries).to.have.length(50);
    expect(await app.database.db('webhook_inbox').count('id as count').first()).to.deep.equal({ count: 50 });
    expect((await app.api.delete('/webhook-inbox')).status).to.equal(204);
    expect(await inbox()).to.deep.equal([]);
  });

  it('exists in no production environment, and shows nothing to another environment', async () => {
    await environments().update({ is_production: true });
    await send('refused');
    await environments().update({ is_production: false, webhook_url: addressOf('00000000-0000-4000-8000-000000000000') });
    await send('refused');
    expect(await inbox()).to.deep.equal([]);
  });
});
