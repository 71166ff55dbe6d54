import { expect } from 'chai';
import type { Frame, Page } from 'playwright-core';
import { updateConnectSettings } from '../../core/tenants/environments/connect-settings-store.ts';
import { useChromium } from '../support/browser.ts';
import type { CustomerPage } from '../support/browser-customer/customer.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { button, continueTo, decide } from '../support/browser-window.ts';
import { canary } from '../support/canaries.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

/** Patterns of values that differ between runs, with their replacements. */
const CHANGING = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'],
  [/\d{1,2}:\d\d\s(AM|PM)/g, 'TIME'],
  [/(?<="API key": ).+/g, 'KEY'],
  [/(127\.0\.0\.1|localhost):\d+/g, 'HOST'],
] as const;

const BAR = ['- banner:', '  - text: Acme', '  - button "Close"'];
/** The bar of screens that show both logos; it does not name the application. */
const BARE = ['- banner:', '  - button "Close"'];

const PROMISES = [
  ...['  - list:', '    - listitem: You can disconnect at any time in Acme', '  - paragraph:'],
  ...['    - text: "Test environment. Callback URL to register:"', '    - code: http://HOST/oauth/callback'],
];

/** Waits until the document has exactly these names, roles and states in reading order. */
async function expectRead(document: Frame | Page, expected: readonly string[]): Promise<void> {
  let read: string[] = [];
  const isSo = async () => {
    const snapshot = await document.locator('body').ariaSnapshot();
    read = CHANGING.reduce((text, [pattern, name]) => text.replace(pattern, name), snapshot).split('\n');
    return read.join() === expected.join();
  };
  await until('it is read', isSo, 20_000).catch(() => undefined);
  expect(read).to.deep.equal(expected);
}

describe('what a screen reader finds in the window', function () {
  const chromium = useChromium(this);
  const setup = use(this, startConnectInstallation);

  before(async () => {
    for (const key of ['jira', 'mail', 'crm', 'chat', 'sales']) {
      await setup.integrate(key, { displayName: key[0]?.toUpperCase() + key.slice(1) });
    }
    await setup.integrate('sites', { provider: 'sites', displayName: 'Sites' });
    await updateConnectSettings(setup.app.services.db, 1, { brand_name: 'Acme' });
    setup.provider.settings.sites = ['One', 'Two'].map((name) => ({ id: name, name }));
  });

  const visit = (session: object, body: (frame: Frame, customer: CustomerPage) => Promise<void>) =>
    setup.visit(chromium, async (customer, guard) => {
      guard.expect(/status of 4/);
      await customer.openWindow({ sessionToken: await setup.session(session) });
      await body(await customer.frame(), customer);
    });

  it('a dialog with a name, which says that it is loading', async () => {
    await setup.visit(chromium, async (customer) => {
      await customer.openWindow();
      await customer.page.getByRole('dialog', { name: 'Connect an account', exact: true }).waitFor();
      const loading = ['- main:', '  - status: Loading…', '  - status'];
      await expectRead(await customer.frame(), [...BARE, ...loading]);
    });
  });

  it('a list of buttons, and how many of them a search has found', async () => {
    const picker = (search: string, status: string) => [
      ...BAR,
      '- main:',
      '  - heading "Connect an account" [level=1]',
      '  - paragraph: Choose what Acme should work with.',
      `  - searchbox "Search 8 apps"${search}`,
      `  - status${status}`,
    ];
    const list = (names: readonly string[]) => [
      '  - list:',
      ...names.flatMap((name) => ['    - listitem:', `      - button "${name}"`]),
    ];
    await visit({}, async (frame) => {
      const all = ['Chat', 'Crm', 'Desk', 'Jira', 'Mail', 'Notes', 'Sales', 'Sites'];
      await expectRead(frame, [...picker('', ''), ...list(all)]);
      const search = frame.getByRole('searchbox');
      await search.fill('a l');
      await expectRead(frame, [...picker(': a l', ': 2 apps found'), ...list(['Mail', 'Sales'])]);
      await search.fill('ma');
      await expectRead(frame, [...picker(': ma', ': 1 app found'), ...list(['Mail'])]);
      await search.fill('zz');
      await expectRead(frame, [...picker(': zz', ': Nothing matches “zz”.'), '  - button "Clear search"', '  - list']);
    });
  });

  it('a form with labels, its faults, what it waits for, and why it was refused', async () => {
    const heading = ['- main:', '  - heading "Connect Desk" [level=1]'];
    const lead = '  - paragraph: Acme uses these details for you; secret ones are stored encrypted.';
    const subdomain = (state: string, ...more: string[]) => [
      '  - text: Subdomain',
      `  - textbox "Subdomain"${state}:`,
      '    - /placeholder: acme',
      ...more,
    ];
    const about = ['  - text: ….acme.test', '  - paragraph: The part before .acme.test.'];
    const foot = '  - paragraph: Used to reach Desk.';
    const show = '  - button "Show API key"';
    await visit({ allowed_integrations: ['desk'] }, async (frame, { page }) => {
      const key = ['  - text: API key', '  - textbox "API key"', show];
      await expectRead(frame, [...BAR, ...heading, lead, ...subdomain(''), ...about, ...key, '  - button "Connect"', foot]);

      await button(frame, 'Connect').click();
      const fault = (text: string, field: string) => [
        '      - listitem:',
        `        - link "${text}":`,
        `          - /url: "#P0-0-${field}"`,
      ];
      await expectRead(frame, [
        ...[...BAR, ...heading, lead],
        ...['  - alert:', '    - text: "Check these details:"', '    - list:'],
        ...[...fault('Enter Subdomain.', 'params-subdomain'), ...fault('Enter API key.', 'credentials-apiKey')],
        ...[...subdomain(' [invalid]'), '  - text: ….acme.test', '  - paragraph: Enter Subdomain.'],
        ...['  - paragraph: The part before .acme.test.', '  - text: API key', '  - textbox "API key" [invalid]', show],
        ...['  - paragraph: Enter API key.', '  - button "Connect"', foot],
      ]);

      const typed = subdomain('', '    - text: foo');
      const withKey = ['  - text: API key', '  - textbox "API key": KEY', show];
      const { promise: isSeen, resolve: goOn } = Promise.withResolvers<void>();
      await page.context().route('**/connect/flows', async (route) => {
        await isSeen;
        await route.continue();
      });
      await frame.getByLabel('Subdomain', { exact: true }).fill('foo');
      await frame.getByLabel('API key', { exact: true }).fill(canary('wrong key'));
      await button(frame, 'Connect').click();
      const busy = ['  - status: Connecting Desk…', '  - button "Cancel"'];
      const hidden = [...withKey.slice(0, -1), `${show} [disabled]`];
      await expectRead(frame, [...BAR, ...heading, lead, ...typed, ...about, ...hidden, ...busy, foot]);
      goOn();
      const refused = ['  - alert:', '    - paragraph: Desk didn’t accept these details. Check them and try again.'];
      await expectRead(frame, [
        ...[...BAR, ...heading, ...refused, lead],
        ...[...typed, ...about, ...withKey, '  - button "Connect"', foot],
      ]);
    });
  });

  it('a sign-in: where, what to do meanwhile, and why it failed', async () => {
    await visit({ allowed_integrations: ['sites'] }, async (frame, customer) => {
      await expectRead(frame, [
        ...[...BAR, '- main:', '  - heading "Connect Sites" [level=1]', '  - paragraph: You will sign in at HOST.'],
        ...[...PROMISES, '  - button "Continue to Sites"', '  - paragraph: Opens in a new window.'],
        '  - paragraph: Encrypted. Acme never sees your password.',
      ]);

      const popup = await continueTo(customer, frame, 'Sites');
      await expectRead(frame, [
        ...[...BARE, '- main:', '  - heading "Waiting for Sites" [level=1]'],
        '  - status: Finish signing in in the other window. This page goes on by itself.',
        ...['  - status', '  - button "Show the window again"', '  - button "Start over"'],
        '  - paragraph: Encrypted. Acme never sees your password.',
      ]);

      await decide(popup, 'Deny');
      const refused = [
        ...[...BAR, '- main:', '  - heading "Access was not allowed" [level=1]'],
        '  - alert: The sign-in at Sites was cancelled or refused. Nothing was stored.',
        '  - paragraph: If your company has to approve new apps, ask your Sites administrator and come back.',
      ];
      await expectRead(frame, [...refused, '  - group: Details for support', '  - button "Try again"']);
      await frame.getByText('Details for support').click();
      const pair = (term: string, value: string) => [`    - term: ${term}`, '    - definition:', `      - code: ${value}`];
      await expectRead(frame, [
        ...[...refused, '  - group:', '    - text: Details for support', ...pair('Code', 'provider_denied')],
        ...[...pair('Time', 'TIME'), ...pair('Reference', 'UUID'), '    - button "Copy details"', '    - status'],
        '  - button "Try again"',
      ]);
      await expectRead(popup, [
        ...['- main:', '  - heading "Not connected" [level=1]'],
        '  - paragraph: You didn’t allow access in Sites, so nothing was connected.',
        ...['  - paragraph: Go back to the first window.', '  - paragraph:', '    - text: "Reference:"', '    - code: UUID'],
        '  - button "Close window"',
      ]);
    });
  });

  it('what a sign-in leaves to choose, and who is connected', async () => {
    await visit({ allowed_integrations: ['sites'] }, async (frame, customer) => {
      await decide(await continueTo(customer, frame, 'Sites'), 'Allow');
      const choice = [
        ...[...BAR, '- main:', '  - heading "Choose what to connect" [level=1]'],
        ...['  - paragraph: Your Sites account opens several.', '  - group "Choose what to connect":'],
        ...['    - text: Choose what to connect', '    - radio "One"', '    - text: One', '    - radio "Two"', '    - text: Two'],
      ];
      const ends = ['  - button "Connect this one"', '  - button "Cancel"'];
      await expectRead(frame, [...choice, '  - alert', ...ends]);
      await button(frame, 'Connect this one').click();
      await expectRead(frame, [...choice, '  - alert: Choose one of them.', ...ends]);
      await frame.getByRole('radio').first().check();
      await button(frame, 'Connect this one').click();
      await expectRead(frame, [
        ...[
          ...BAR,
          '- main:',
          '  - heading "Sites is connected" [level=1]',
          '  - paragraph: Connected as Ada',
          '  - paragraph: ada@acme.example',
        ],
        ...['  - button "Back to Acme"', '  - paragraph: You can disconnect at any time in Acme.'],
      ]);
    });
  });

  it('a link: who asks, for whom, until when; and that it is over', async () => {
    const tags = { end_user_email: 'ada@acme.example' };
    const token = await setup.session({ allowed_integrations: ['notes'], tags });
    await setup.visit(chromium, async ({ page }, guard) => {
      guard.expect(/status of 401/);
      await page.goto(`${setup.app.url}/connect/l#${token}`);
      await expectRead(page, [
        ...['- banner: Acme', '- main:', '  - heading "Connect Notes" [level=1]'],
        '  - paragraph: Acme wants to connect your account. You will sign in at HOST.',
        ...['  - text: for ada@acme.example', ...PROMISES, '  - button "Continue to Notes"'],
        ...['  - paragraph: You will return to this page afterwards.', '  - paragraph:'],
        ...['    - text: Not you? Close this page.', '    - time: This link works until TIME.'],
        '  - paragraph: Encrypted. Acme never sees your password.',
      ]);
      await setup.app.clock.advance(31 * 60_000);
      await page.goto('about:blank');
      await page.goto(`${setup.app.url}/connect/l#${token}`);
      await expectRead(page, [
        ...['- main:', '  - heading "This link has expired" [level=1]'],
        '  - paragraph: For your security it only works for a limited time. Ask for a new one.',
      ]);
    });
  });
});
