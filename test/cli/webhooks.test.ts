import { expect } from 'chai';
import { rememberSecret } from '../support/canaries.ts';
import { CommandLine } from '../support/command-line.ts';
import { Deliveries } from '../support/deliveries.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

/** Five times the promised time until the command takes effect, because other tests run at the same time. */
const EFFECTIVE_MS = 10_000;
const DAY_MS = 24 * 60 * 60_000;

describe('webhooks on the command line', function () {
  const deliveries = use(this, () => Deliveries.open());

  before(async () => {
    await deliveries.deliver();
  });
  const commandLine = use(this, async () => new CommandLine());
  const svc = (...args: string[]) =>
    commandLine.run(
      {
        DATABASE_URL: deliveries.app.database.url,
        SVC_ENCRYPTION_KEYS: deliveries.app.encryptionKeys,
        SVC_OUTBOUND_ALLOW: '127.0.0.1/32',
      },
      ...args,
    );
  const object = async (...args: string[]) => {
    const { code, stdout, stderr } = await svc(...args, '--json');
    expect(code, stderr).to.equal(0);
    return JSON.parse(stdout);
  };

  for (const [slot, flag, column] of [
    ['primary', '--webhook-url', 'webhook_url'],
    ['secondary', '--webhook-url-secondary', 'webhook_url_secondary'],
  ] as const) {
    it(`resume a paused ${slot} URL within two seconds after it is set again, even to the same value`, async () => {
      const url = `${deliveries.application.url}/${slot}`;
      await deliveries.setUrl(null);
      await deliveries.setUrl(null, 'webhook_url_secondary');
      await deliveries.setUrl(url, column);
      deliveries.application.next('webhook', { response: { status: 410 } });
      const [id = ''] = await deliveries.send();
      await deliveries.untilStatus('paused', 1);
      await object('env', 'set', flag, url);
      const arrived = () => deliveries.received().get(id)?.length === 2;
      await until('the message came again', arrived, EFFECTIVE_MS);
      expect((await deliveries.target(slot)).paused_at).to.equal(null);
    });
  }

  it('are checked by the rules of the running instances, not by those of the shell', async () => {
    const { url: database } = deliveries.app.database;
    const set = (allow: string, address: string) => {
      const env = { DATABASE_URL: database, SVC_ENCRYPTION_KEYS: deliveries.app.encryptionKeys, SVC_OUTBOUND_ALLOW: allow };
      return commandLine.run(env, 'env', 'set', '--webhook-url', address);
    };
    await until('the rules of the service are known', async () => (await set('', deliveries.application.url)).code === 0);
    const refused = await set('10.0.0.0/8', 'http://10.1.2.3/hook');
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.contain('SVC_OUTBOUND_ALLOW of the service');
  });

  it('keep a pause when another setting is changed', async () => {
    await deliveries.setUrl(deliveries.application.url);
    await deliveries.setUrl(null, 'webhook_url_secondary');
    deliveries.application.next('webhook', { response: { status: 410 } });
    await deliveries.send();
    await deliveries.untilStatus('paused', 1);
    await object('env', 'set', '--webhook-url-secondary', '', '--on-refresh', 'on');
    expect((await deliveries.target()).paused_at).to.be.instanceOf(Date);
  });

  const REFUSED = ['http://hooks.example.com/', 'https://10.0.0.1/', 'https://[::1]:8443/', 'http://169.254.169.254/latest'];
  for (const url of REFUSED) {
    it(`refuse ${url}, which the service would not call`, async () => {
      const environment = () => deliveries.db('environments').first();
      const before = await environment();
      const { code, stdout, stderr } = await svc('env', 'set', '--webhook-url-secondary', url, '--on-deletion', 'on');
      expect([code, stdout]).to.deep.equal([1, '']);
      expect(stderr.trimEnd().split('\n')).to.have.length(1);
      expect(stderr).to.contain(url).and.contain('SVC_OUTBOUND_ALLOW');
      expect(await environment()).to.deep.equal(before);
    });
  }

  it('rotate the signing secret at most once a day', async () => {
    const older = await deliveries.secret();
    const made = await object('env', 'rotate-webhook-secret');
    expect(made).to.have.all.keys('webhook_secret', 'old_secret_signs_until');
    rememberSecret('webhook secret', made.webhook_secret);
    expect(made.webhook_secret)
      .to.match(/^whsec_[A-Za-z0-9+/]{43}=$/)
      .and.not.equal(older);
    expect(Date.parse(made.old_secret_signs_until) - Date.now()).to.be.closeTo(DAY_MS, 60_000);

    const again = await svc('env', 'rotate-webhook-secret');
    expect([again.code, again.stdout]).to.deep.equal([1, '']);
    expect(again.stderr).to.contain(made.old_secret_signs_until);
    expect((await object('env', 'get')).webhook_secret).to.equal(made.webhook_secret);

    await deliveries.advance(DAY_MS / 1_000 + 1);
    const third = await object('env', 'rotate-webhook-secret');
    rememberSecret('webhook secret', third.webhook_secret);
    expect(third.webhook_secret).not.to.equal(made.webhook_secret);
  });

  it('reject flags of other commands', async () => {
    expect((await svc('env', 'rotate-webhook-secret', '--webhook-url', 'https://a.example')).code).to.equal(2);
    expect((await svc('env', 'rotate-webhook-secret', '--env', 'nowhere')).code).to.equal(1);
  });
});
