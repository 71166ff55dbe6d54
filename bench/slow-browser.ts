import type { Browser, BrowserContext, Page } from 'playwright-core';
import { findChromium, launch } from '../test/support/browser.ts';
import { storeOperations } from '../test/support/many-operations.ts';
import { startFilled } from './many-rows.ts';
import { median } from './quantile.ts';

const ROUNDS = 5;
const CPU_SLOWDOWN = 4;
/** The network of a phone with poor reception. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const ROWS = 1_000;
const GOALS_MS = { picker: 1_300, list: 2_200, task: 200 } as const;

/** Returns a script that records when the selector first matches, and how long tasks kept the page from reacting. */
const watching = (selector: string) => `
  new PerformanceObserver((list) => (globalThis.tasks ??= []).push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true });
  new MutationObserver((_, observer) => {
    if (document.querySelector('${selector}') === null) return;
    globalThis.shownAt = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });`;

/**
 * Measures, in a browser with a quarter of this machine's speed, how long first screens take on a slow network, and for how long
 * at a time a long list keeps the page from reacting.
 */
export async function run(): Promise<void> {
  const executable = findChromium();
  if (executable === undefined) {
    console.log('  no Chromium');
    return;
  }
  await using stack = new AsyncDisposableStack();
  const filled = await startFilled(stack, { connections: 50_000 });
  if (filled === undefined) return;
  const { service, db, lists, cookie } = filled;
  const { id: environmentId } = await db('environments').where({ name: lists.environment }).first('id');
  await storeOperations(db, { environmentId, count: 2 * ROWS });
  const { token } = (await service.api.post('/connect/sessions', {})).body.data;
  const [name = '', value = ''] = cookie.split('=');
  const url = `http://127.0.0.1:${service.port}`;
  const chromium = await launch(executable);
  stack.defer(() => chromium.close());
  const asMember = (profile: BrowserContext) => profile.addCookies([{ name, value, url }]);

  const picker = await firstScreens(chromium, { url: `${url}/connect/l#${token}`, selector: 'h1' });
  print('picker of the connect window', picker, GOALS_MS.picker);
  const connections = { url: `${url}/e/${lists.environment}/connections`, selector: 'tbody tr', prepare: asMember };
  print('connections of the dashboard', await firstScreens(chromium, connections), GOALS_MS.list);
  const longest = await longestTask(chromium, { url: `${url}/e/${lists.environment}/logs`, prepare: asMember });
  console.log(`  longest task in a log of ${ROWS} rows: ${longest.toFixed(0)} ms (goal: at most ${GOALS_MS.task} ms)`);
}

interface Screen {
  readonly url: string;
  /** Matches the content that must be shown for the screen to count as loaded. */
  readonly selector: string;
  readonly prepare?: (profile: BrowserContext) => Promise<void>;
}

/** Returns the milliseconds from opening the URL to the first screen, measured several times, each in a new browser profile. */
async function firstScreens(chromium: Browser, { url, selector, prepare }: Screen): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const profile = await chromium.newContext();
    await prepare?.(profile);
    const page = await slowPage(profile, { selector, hasSlowNetwork: true });
    await page.goto(url);
    await page.locator(selector).first().waitFor();
    times.push(await page.evaluate<number>('shownAt'));
    await profile.close();
  }
  return times;
}

/** Returns the duration of the longest task while pages are added to the list and while the list is scrolled. */
async function longestTask(chromium: Browser, { url, prepare }: Required<Omit<Screen, 'selector'>>): Promise<number> {
  const profile = await chromium.newContext();
  await prepare(profile);
  const page = await slowPage(profile, { selector: 'tbody tr', hasSlowNetwork: false });
  await page.goto(url);
  const rows = page.locator('tbody tr');
  await rows.first().waitFor();
  for (let count = await rows.count(); count < ROWS; count = await rows.count()) {
    await page.getByRole('button', { name: 'Load more' }).click();
    await rows.nth(count).waitFor();
  }
  await page.mouse.wheel(0, -20_000);
  await page.mouse.wheel(0, 20_000);
  await page.getByRole('button', { name: 'UTC' }).click();
  await page.waitForTimeout(1_000);
  const tasks = await page.evaluate<readonly number[]>('globalThis.tasks ?? []');
  await profile.close();
  return Math.max(0, ...tasks);
}

async function slowPage(
  profile: BrowserContext,
  { selector, hasSlowNetwork }: { readonly selector: string; readonly hasSlowNetwork: boolean },
): Promise<Page> {
  const page = await profile.newPage();
  const session = await profile.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await session.send('Network.enable');
  if (hasSlowNetwork) await session.send('Network.emulateNetworkConditions', NETWORK);
  await page.addInitScript(watching(selector));
  return page;
}

function print(what: string, times: readonly number[], goalMs: number): void {
  console.log(`  ${what}: median of ${times.length} ${median(times).toFixed(0)} ms (goal: at most ${goalMs} ms)`);
}
