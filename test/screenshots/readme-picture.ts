import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { updateConnectSettings } from '../../core/tenants/environments/connect-settings-store.ts';
import type { Activity } from '../../ui/dashboard/pages/home/activity.ts';
import { startApp, type TestApp } from '../support/app.ts';
import type { SharedChromium } from '../support/browser.ts';
import { inEachView, type View } from '../support/browser-screens/views.ts';
import { createSession, mustBe } from '../support/connect.ts';
import { activity, NOTHING } from '../support/dashboard/home-screens.ts';
import type { DashboardScreen } from '../support/dashboard/screen.ts';
import { visitScreen } from '../support/dashboard/visit.ts';

const FOLDER = fileURLToPath(new URL('../../docs/pictures', import.meta.url));
const SIZE = { width: 1280, height: 700 };
const WINDOW_SIZE = { width: 400, height: 480 };
const ENVIRONMENT = 1;
/** The integrations of the pictures; all are providers of the catalogue with the same auth mode. */
const INTEGRATIONS = { github: 'GitHub', google: 'Google', linear: 'Linear', notion: 'Notion' };
/** The hour of the day in which calls failed. */
const FAILING_HOUR = 21;
const CREDENTIALS = { type: 'OAUTH2', client_id: 'client', client_secret: 'secret' };

const LATEST = Date.now();
const AGO = (minutes: number) => new Date(LATEST - minutes * 60_000).toISOString();

const STYLE = `body { margin: 0; position: relative; }
img + img { position: absolute; inset: 150px 48px auto auto; border-radius: 14px;
  outline: 1px solid rgb(128 128 128 / 35%); box-shadow: 0 24px 70px rgb(0 0 0 / 45%); }`;

type Scheme = View['scheme'];
type Pictures = Partial<Record<Scheme, Buffer>>;

/** Makes the pictures at the top of README.md, one for each color scheme: the dashboard, with the connect window in front of it. */
export async function photographReadme(chromium: SharedChromium): Promise<void> {
  await using app = await startApp();
  const dashboard = await dashboardOf(chromium, app);
  const window = await windowOf(chromium, app);
  await mkdir(FOLDER, { recursive: true });
  await chromium.unguarded(async (profile) => {
    const page = await profile.newPage();
    for (const scheme of ['light', 'dark'] as const) {
      await page.setViewportSize(SIZE);
      await page.setContent(montage(scheme, dashboard[scheme], window[scheme]));
      await page.screenshot({ path: join(FOLDER, `svc-${scheme}.png`) });
    }
  });
}

async function dashboardOf(chromium: SharedChromium, app: TestApp): Promise<Pictures> {
  const pictures: Pictures = {};
  await visitScreen(chromium, { url: app.url, screen: home(app.url) }, (page) => inSchemes(page, SIZE, pictures));
  return pictures;
}

async function windowOf(chromium: SharedChromium, app: TestApp): Promise<Pictures> {
  const pictures: Pictures = {};
  await updateConnectSettings(app.services.db, ENVIRONMENT, { brand_name: 'Northwind' });
  for (const provider of Object.keys(INTEGRATIONS)) {
    mustBe(200, await app.api.post('/integrations', { unique_key: provider, provider, credentials: CREDENTIALS }));
  }
  const token = await createSession(app, { tags: { end_user_email: 'ada@acme.example' } });
  await chromium.profile({ origins: [app.url], locale: 'en-US' }, async (profile) => {
    const page = await profile.newPage();
    await page.goto(`${app.url}/connect/l#${token}`);
    await page.getByRole('heading').first().waitFor();
    await inSchemes(page, WINDOW_SIZE, pictures);
  });
  return pictures;
}

async function inSchemes(page: Page, size: typeof SIZE, pictures: Pictures): Promise<void> {
  const views = (['light', 'dark'] as const).map((scheme) => ({ scheme, ...size }));
  const shoot = async ({ scheme }: View) => {
    pictures[scheme] = await page.screenshot();
  };
  await inEachView(page, shoot, views);
}

/** The home page of an environment in which one provider fails and one user has to act. */
function home(url: string): DashboardScreen {
  const shown = (key: keyof typeof INTEGRATIONS) => ({
    unique_key: key,
    display_name: INTEGRATIONS[key],
    logo: `${url}/logos/${key}.svg`,
  });
  const { data } = activity([]);
  const buckets = data.buckets.map((one, hour) => ({ ...one, proxy: { ...one.proxy, failed: hour === FAILING_HOUR ? 46 : 0 } }));
  const attention: Activity['attention'] = [
    {
      ...{ ...NOTHING, kind: 'degraded', integration: shown('notion'), count: 3, expired: 3, since: AGO(51) },
      ...{ cause: 'provider_unavailable', summary: 'the token endpoint answered 503', log_id: 'log' },
    },
    { ...NOTHING, kind: 'reconnect', integration: shown('github'), count: 2, cause: 'refused', since: AGO(200) },
  ];
  const busiest: Activity['busiest'] = [
    { integration: shown('google'), total: 148_203, failed: 3 },
    { integration: shown('github'), total: 41_870, failed: 43 },
    { integration: shown('linear'), total: 9_412, failed: 0 },
  ];
  const failures: Activity['failures'] = [
    {
      ...{ type: 'refresh', integration: shown('notion'), log_id: 'log', count: 14, latest_at: AGO(1) },
      summary: 'the token endpoint answered 503',
    },
    {
      ...{ type: 'proxy', integration: shown('github'), log_id: 'other', count: 3, latest_at: AGO(34) },
      summary: 'GET /user/repos → 403',
    },
  ];
  return {
    path: 'e/dev/home',
    api: { 'e/dev/activity': { data: { ...data, buckets, attention, busiest, failures } } },
    shows: 'have to be connected again',
  };
}

/** Returns a page with both pictures, the second in front of the first. */
function montage(scheme: Scheme, back: Buffer | undefined, front: Buffer | undefined): string {
  const image = (picture: Buffer | undefined) => `<img alt="" src="data:image/png;base64,${picture?.toString('base64')}">`;
  return `<!doctype html><html lang="en"><title>${scheme}</title><style>${STYLE}</style>${image(back)}${image(front)}`;
}
