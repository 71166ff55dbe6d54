import { startApp } from '../support/app.ts';
import { useChromium } from '../support/browser.ts';
import { visitAs } from '../support/dashboard/visit-as.ts';
import { giveSpace, takeSpace } from '../support/no-space.ts';
import { expectError } from '../support/std-error.ts';
import { use } from '../support/use.ts';

describe('the dashboard of a service that is degraded', function () {
  const chromium = useChromium(this);
  const app = use(this, () => startApp());

  it('says on every page that the disk is full, until there is space again', async () => {
    await takeSpace(app.services.db);
    expectError(await app.api.post('/integrations', { unique_key: 'a', provider: 'github' }), 'storage_full');
    await visitAs({ chromium, app }, { role: 'viewer', path: 'e/dev/home' }, async (page) => {
      await page.getByRole('status').getByText('The disk of the database is full').waitFor();
      await giveSpace(app.services.db);
      await page.getByText('The disk of the database is full').waitFor({ state: 'detached' });
    });
  });
});
