import { expect } from 'chai';
import { useChromium } from '../support/browser.ts';
import { violationsOf } from '../support/browser-axe.ts';
import { connectUrl, createSession } from '../support/connect.ts';
import { addSandbox } from '../support/sandbox.ts';
import { size } from '../support/size.ts';
import { startTenant } from '../support/tenant.ts';
import { use } from '../support/use.ts';

const VIEWS = [
  [320, 'light'],
  [390, 'dark'],
  [1280, 'light'],
  [1280, 'dark'],
  [320, 'dark'],
  [390, 'light'],
] as const;

/** The size of the window that the SDK opens. */
const POPUP = { width: 520, height: 720 };

describe('the sign-in page of the sandbox', function () {
  const chromium = useChromium(this);
  const app = use(this, startTenant);
  before(() => addSandbox(app));

  for (const [width, colorScheme] of VIEWS.slice(0, size(4, VIEWS.length)))
    it(`breaks no rule of axe, and fits: ${width} px, ${colorScheme}`, async () => {
      const token = await createSession(app, { allowed_integrations: ['sandbox-oauth2'] });
      const options = { origins: [app.url], viewport: { width, height: 844 }, colorScheme };
      await chromium.profile(options, async (profile) => {
        const page = await profile.newPage();
        await page.goto(connectUrl(app, { key: 'sandbox-oauth2', token }));
        expect(await violationsOf(page)).to.deep.equal([]);
        const card = await page.getByRole('main').boundingBox();
        const field = await page.getByLabel('Password').boundingBox();
        expect((card?.x ?? 0) + (card?.width ?? 0)).to.be.at.most(width);
        expect((field?.x ?? 0) + (field?.width ?? 0)).to.be.below((card?.x ?? 0) + (card?.width ?? 0));
        expect(field?.width).to.be.above(80);
      });
    });

  it('does not scroll in the window that opens for a sign-in', async () => {
    const token = await createSession(app, { allowed_integrations: ['sandbox-oauth2'] });
    await chromium.profile({ origins: [app.url], viewport: POPUP }, async (profile) => {
      const page = await profile.newPage();
      await page.goto(connectUrl(app, { key: 'sandbox-oauth2', token }));
      await page.getByRole('button', { name: 'Allow' }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollHeight')).to.equal(POPUP.height);
    });
  });
});
