import { expect } from 'chai';
import type { Frame, Page } from 'playwright-core';
import { updateConnectSettings } from '../../core/tenants/environments/connect-settings-store.ts';
import { useChromium } from '../support/browser.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { LinkVisitor, newLink } from '../support/browser-link.ts';
import { button, continueTo, decide, expectHeading } from '../support/browser-window.ts';
import { use } from '../support/use.ts';

const EMAIL = `${'ada.of.the.engine'.repeat(3)}@department.of.analysis.acme.example`;
const WHO = `for ${EMAIL}`;
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
const CUT = `(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector('.who p'))`;
const PHONE = { viewport: { width: 390, height: 740 } };

describe('whom a connection is for', function () {
  const chromium = useChromium(this);
  const setup = use(this, startConnectInstallation);
  const visitor = new LinkVisitor(chromium, setup);
  const tags = { end_user_email: EMAIL };

  before(async () => {
    setup.provider.settings.sites = ['Oslo', 'Rome'].map((name) => ({ id: name, name }));
    await setup.integrate('sites', { provider: 'sites', displayName: 'Sites' });
    await updateConnectSettings(setup.app.services.db, 1, { brand_name: 'Acme' });
  });

  const expectWhom = async (document: Frame | Page) => {
    await document.getByText(WHO, { exact: true }).waitFor();
    expect(await document.evaluate(OVERFLOW)).to.equal(0);
  };

  it('is shown on every screen, in one line', async () => {
    const body = { tags, allowed_integrations: ['desk', 'notes', 'sites'] };
    await setup.visit(
      chromium,
      async (customer, guard) => {
        guard.expect(/status of 400/);
        await customer.openWindow({ sessionToken: await setup.session(body) });
        const frame = await customer.frame();
        const at = async (heading: string) => {
          await expectHeading(frame, heading);
          await expectWhom(frame);
        };
        await at('Connect an account');
        expect(await frame.evaluate(CUT)).to.equal(true);
        expect(await frame.getByTitle(EMAIL).count()).to.equal(1);
        await button(frame, 'Desk').click();
        await at('Connect Desk');
        await button(frame, 'Back').click();
        await button(frame, 'Sites').click();
        await at('Connect Sites');

        const denied = await continueTo(customer, frame, 'Sites');
        await at('Waiting for Sites');
        await decide(denied, 'Deny');
        await at('Access was not allowed');
        // The window is closed because the next attempt would otherwise reuse it.
        await denied.close();
        await button(frame, 'Try again').click();
        const token = setup.provider.hold('/token');
        const allowed = decide(await continueTo(customer, frame, 'Sites'), 'Allow');
        await at('Almost done');
        token.release();
        await allowed;
        await at('Choose what to connect');
        await frame.getByRole('radio', { name: 'Oslo' }).check();
        await button(frame, 'Connect this one').click();
        await at('Sites is connected');
      },
      PHONE,
    );
  });

  it('is shown behind a link, beside the application that asks', async () => {
    const link = await newLink(setup, { tags, allowed_integrations: ['desk', 'notes'] });
    await visitor.open(
      link,
      async (page) => {
        for (const [heading, next] of [
          ['Connect an account', 'Desk'],
          ['Connect Desk', 'Back'],
          ['Connect an account', 'Notes'],
          ['Connect Notes', undefined],
        ] as const) {
          await expectHeading(page, heading);
          await expectWhom(page);
          await page.getByText('Acme wants to connect your account.').waitFor();
          if (next !== undefined) await button(page, next).click();
        }
      },
      PHONE,
    );
  });
});
