import { expect } from 'chai';
import { useChromium } from '../support/browser.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { expectHeading } from '../support/browser-window.ts';
import { integrateAll, largeCatalogue, openPicker, typeIntoSearch } from '../support/large-picker.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const PROVIDERS = largeCatalogue(1_000);
const OFFERED = Object.keys(PROVIDERS).slice(0, 300);
/** Five times the goals of `bench/large-picker.ts`. */
const MAX_OPEN_MS = 5 * 1_000;
const MAX_ANSWER_MS = 5 * 100;
/** The most bytes of a session for each integration, since it holds only its name, logo URL and categories. */
const MAX_BYTES_EACH = 300;

describe('a picker of 300 integrations, in a catalogue of 1,000 providers', function () {
  const chromium = useChromium(this);
  const setup = use(this, () => startConnectInstallation({ definitions: PROVIDERS }));
  let sessionToken: string;

  before(async () => {
    await integrateAll(setup.app.api, OFFERED);
    sessionToken = await setup.session({ allowed_integrations: OFFERED });
  });

  it('appears soon, and loads only the logos in sight', async () => {
    await setup.visit(chromium, async (customer, guard) => {
      const { frame, ms } = await openPicker(customer, sessionToken);
      expect(ms).to.be.within(1, MAX_OPEN_MS);
      expect(await frame.getByRole('listitem').count()).to.equal(300);
      expect(guard.requests.filter(({ url }) => url.includes('/logos/'))).to.have.length.within(1, 60);
    });
  });

  it('responds to each key of a search at once, shows the number of matches, and can be operated by keyboard', async () => {
    await setup.visit(chromium, async (customer) => {
      const { frame } = await openPicker(customer, sessionToken);
      const answers = await typeIntoSearch(customer, frame, 'fjord fi');
      expect(answers.map(({ rows }) => rows)).to.deep.equal([57, 30, 30, 30, 30, 30, 30, 3]);
      expect(answers.at(-1)?.status).to.equal('3 apps found');
      expect(Math.max(...answers.map(({ ms }) => ms))).to.be.within(1, MAX_ANSWER_MS);
      expect(await frame.locator('body').ariaSnapshot()).to.match(
        /searchbox "Search 300 apps": fjord fi\n *- status: 3 apps found\n/,
      );
      for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await customer.page.keyboard.press(key);
      await expectHeading(frame, 'Connect Fjord Files Cloud');
    });
  });

  it('reaches each of its entries by the arrow keys, even those out of sight', async () => {
    await setup.visit(chromium, async (customer) => {
      const { frame } = await openPicker(customer, sessionToken);
      // The test focuses the search box itself, because the dialog may do so only after the first keys have been pressed.
      await frame.getByRole('searchbox').focus();
      for (let times = 0; times < 300; times += 1) await customer.page.keyboard.press('ArrowDown');
      const focused = () =>
        frame.evaluate<[string, boolean]>(`(() => {
          const { top, bottom } = document.activeElement.getBoundingClientRect();
          return [document.activeElement.textContent, top >= 0 && bottom <= innerHeight];
        })()`);
      await until('the last one has focus', async () => {
        if ((await focused())[0].includes('Juniper Journal Enterprise')) return true;
        // A busy browser sometimes loses a key press.
        await customer.page.keyboard.press('ArrowDown');
        return false;
      });
      expect((await focused())[1], 'in sight').to.equal(true);
    });
  });

  it('comes from a session of a bounded size', async () => {
    const headers = { authorization: `Bearer ${sessionToken}` };
    const response = await fetch(`${setup.app.url}/connect/session`, { headers });
    expect((await response.arrayBuffer()).byteLength).to.be.within(300, 300 * MAX_BYTES_EACH);
  });
});
