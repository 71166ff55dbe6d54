import { expect } from 'chai';
import { connectionsOf } from '../support/authorization.ts';
import { useChromium } from '../support/browser.ts';
import { startIntegratedTenant } from '../support/integrated-app.ts';
import { use } from '../support/use.ts';
import { beginWindowFlow, newLaunchId } from '../support/window-flow.ts';

describe('the launch page, in Chromium', function () {
  this.timeout(60_000);
  const chromium = useChromium(this);
  const app = use(this, startIntegratedTenant);
  const origins = () => ({ origins: [app.url, app.provider.url] });

  it('waits for its flow and leads to the provider, whose final page closes itself', async () => {
    await chromium.profile(origins(), async (profile) => {
      const first = await profile.newPage();
      const launchId = newLaunchId();
      const opened = profile.waitForEvent('page');
      await first.evaluate(`void open('${app.url}/connect/launch#${launchId}')`);
      const popup = await opened;
      await popup.waitForLoadState();
      expect(await popup.title()).to.equal('Opening…');
      // The launch ID has been removed from the address, so that neither the history nor a screenshot contains it.
      expect(popup.url()).to.equal(`${app.url}/connect/launch`);
      const closed = popup.waitForEvent('close');
      const flow = await beginWindowFlow(app, { launchId });
      await closed;
      expect((await flow.read()).state).to.equal('succeeded');
      expect(await connectionsOf(app)).to.have.lengthOf(1);
    });
  });

  it('waits after too many requests, and then asks again', async () => {
    await chromium.profile(origins(), async (profile, guard) => {
      guard.expect(/status of 429/);
      const refusals = [{ 'retry-after': '1' }, { 'retry-after': 'Mon, 01 Jan 2035 00:00:00 GMT' }];
      const asked: number[] = [];
      await profile.route(`${app.url}/connect/launch`, (route) => {
        if (route.request().method() !== 'POST') return route.fallback();
        asked.push(Date.now());
        const headers = refusals.shift();
        return headers === undefined ? route.fallback() : route.fulfill({ status: 429, headers, json: {} });
      });
      const first = await profile.newPage();
      const flow = await beginWindowFlow(app);
      const opened = profile.waitForEvent('page');
      await first.evaluate(`void open('${app.url}/connect/launch#${flow.launchId}')`);
      await (await opened).waitForEvent('close');
      expect((await flow.read()).state).to.equal('succeeded');
      const [one = 0, two = 0, three = 0] = asked;
      expect(two - one).to.be.at.least(950);
      expect(three - two).to.be.at.least(1_900);
    });
  });

  it('shows what went wrong, and a button that closes it', async () => {
    await chromium.profile(origins(), async (profile, guard) => {
      guard.expect(/status of 400 .*\/oauth\/callback/);
      const first = await profile.newPage();
      const flow = await beginWindowFlow(app);
      app.provider.next('token', { response: { status: 400, body: '{"error":"invalid_grant"}' } });
      const opened = profile.waitForEvent('page');
      await first.evaluate(`void open('${app.url}/connect/launch#${flow.launchId}')`);
      const popup = await opened;
      await popup.getByRole('heading', { name: 'Not connected' }).waitFor();
      expect(await popup.textContent('main')).to.match(/accepted you but refused to finish\..*Go back to the first window\./s);
      const closed = popup.waitForEvent('close');
      await popup.getByRole('button', { name: 'Close window' }).click();
      await closed;
    });
  });
});
