import { expect } from 'chai';
import { ConnectedInstallation } from '../support/connected-installation.ts';
import { refreshDue } from '../support/due-work.ts';
import { enableWebhooks, storedWebhooks } from '../support/stored-webhooks.ts';
import { INVALID_GRANT } from '../support/token-responses.ts';
import { useEach } from '../support/use.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const NOT_NOW = { response: { status: 500 } };

describe('a provider that is unavailable for long', function () {
  const setup = useEach(this, () => ConnectedInstallation.open({ rotation: 'strict' }));

  beforeEach(() => enableWebhooks(setup.installation.db));

  it('is reported once, a day after the connection expired, and again when it recovers', async () => {
    setup.provider.always('token', NOT_NOW);
    await afterHours(1.5);
    await afterHours(22);
    expect(await news()).to.deep.equal([]);
    await afterHours(2.5);
    await afterHours(1);
    await afterHours(72);
    expect(await news()).to.deep.equal([[false, 'provider_unavailable']]);
    expect(await setup.stored()).to.include({ state: 'degraded', auth_error_log_id: null });

    setup.provider.always('token', {});
    await afterHours(1);
    await afterHours(1);
    expect(await news()).to.deep.equal([
      [false, 'provider_unavailable'],
      [true, undefined],
    ]);
    expect(await setup.read()).to.have.property('status', 200);
  });

  it('is reported again in a second outage', async () => {
    for (let outage = 1; outage <= 2; outage += 1) {
      setup.provider.always('token', NOT_NOW);
      await afterHours(2);
      await afterHours(25);
      setup.provider.always('token', {});
      await afterHours(1);
    }
    expect((await news()).map(([success]) => success)).to.deep.equal([false, true, false, true]);
  });

  it('is not reported while the connection works', async () => {
    setup.provider.always('token', { members: { expires_in: 7 * 24 * HOUR } });
    expect(await setup.read('&force_refresh=true')).to.have.property('status', 200);
    setup.provider.always('token', NOT_NOW);
    for (let day = 1; day <= 6; day += 1) await afterHours(25);
    expect(await news()).to.deep.equal([]);
    expect(await setup.read()).to.have.property('status', 200);
  });

  it('is reported with another error when it finally says that the authorization is over', async () => {
    setup.provider.always('token', NOT_NOW);
    await afterHours(2);
    await afterHours(25);
    setup.provider.always('token', INVALID_GRANT);
    await afterHours(1);
    expect(await news()).to.deep.equal([
      [false, 'provider_unavailable'],
      [false, 'invalid_credentials'],
    ]);
  });

  it('is asked again after the wait that it requests, up to a day later', async () => {
    const asked = () => setup.provider.ledger.of('token').length;
    for (const [retryAfter, seconds] of [
      ['7200', 2 * HOUR],
      [String(DAY), DAY],
      [String(10 * DAY), DAY],
    ] as const) {
      setup.provider.next('token', { response: { status: 503, headers: { 'retry-after': retryAfter } } });
      await setup.advance(2 * HOUR);
      const callsBefore = asked();
      const { status, headers } = await setup.read();
      expect(status).to.equal(503);
      expect(Number(headers.get('retry-after'))).to.be.within(seconds - 5, seconds);
      await setup.advance(seconds - 60);
      expect(await setup.read()).to.have.property('status', 503);
      expect(asked()).to.equal(callsBefore + 1);
      await setup.advance(60);
      expect(await setup.read()).to.have.property('status', 200);
    }
  });

  async function afterHours(hours: number): Promise<void> {
    await setup.advance(hours * HOUR);
    await refreshDue(setup.app.services);
  }

  /** Returns, for each webhook that told the application about a refresh, whether the refresh succeeded, and its error type. */
  async function news() {
    const webhooks = await storedWebhooks(setup.app.services);
    return webhooks
      .filter(({ body }) => body.operation === 'refresh')
      .map(({ body }): [boolean, string | undefined] => [body.success, body.error?.type]);
  }
});
