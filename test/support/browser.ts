import { existsSync } from 'node:fs';
import type { Context } from 'mocha';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { type Guard, guard } from './browser-guard.ts';
import { skipBecause } from './skip.ts';
import { atWorkerEnd } from './worker-end.ts';

const SYSTEM_CHROMIUM = '/usr/bin/chromium';
const NO_CHROMIUM = `no Chromium; set CHROMIUM or install ${SYSTEM_CHROMIUM}`;

/** Features of Chromium that no page needs. The popups of the address bar would cost each window an additional process. */
const UNUSED = [
  'HttpsUpgrades',
  'MediaRouter',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
];

/**
 * Chromium obeys only the last `--disable-features`, which is this one and not that of Playwright. It leaves out
 * ThirdPartyStoragePartitioning, which Playwright would turn off, so that frames of other sites have separate storage, as in the
 * browsers of users.
 */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${UNUSED}`,
];

/** Returns the path of Chromium, or undefined if there is none. */
export function findChromium(): string | undefined {
  const path = process.env['CHROMIUM'] ?? SYSTEM_CHROMIUM;
  return existsSync(path) ? path : undefined;
}

/** Starts Chromium as users have it: with its popup blocker, which Playwright would turn off, and with partitioned storage. */
export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: FLAGS, ignoreDefaultArgs: ['--disable-popup-blocking'] });
}

function findOrSkip(test: Context): string {
  return findChromium() ?? skipBecause(test, NO_CHROMIUM);
}

/** Runs a test body in a fresh profile of a real Chromium. Skips the test, with the reason, if Chromium is not installed. */
export async function withChromium(test: Context, body: (browser: BrowserContext) => Promise<void>): Promise<void> {
  await inUnguardedProfile(await sharedBrowser(findOrSkip(test)), body);
}

export interface ProfileOptions extends BrowserContextOptions {
  /** The origins that pages may call; any other call fails the test. */
  readonly origins: readonly string[];
}

/** A profile that stays open, and the guard that watches its pages. */
interface OpenProfile extends AsyncDisposable {
  readonly profile: BrowserContext;
  readonly guard: Guard;
}

/** The Chromium that all suites in a process share. */
export interface SharedChromium {
  /** Runs a body in a fresh profile, and fails if the guard has found a fault on a page. */
  profile(options: ProfileOptions, body: (profile: BrowserContext, guard: Guard) => Promise<void>): Promise<void>;
  /** Opens a fresh profile for several tests. Each of them has to call `check` of the guard itself. */
  open(options: ProfileOptions): Promise<OpenProfile>;
  /** Runs a body in a fresh profile that no guard watches. */
  unguarded(body: (profile: BrowserContext) => Promise<void>): Promise<void>;
}

let shared: Promise<Browser> | undefined;

/** Returns the browser that all suites of a process share; it is restarted after a crash. */
async function sharedBrowser(path: string): Promise<Browser> {
  if (shared === undefined) atWorkerEnd(async () => (await shared)?.close());
  else if (!(await shared).isConnected()) shared = undefined;
  shared ??= launch(path);
  return shared;
}

/** Lets a suite use Chromium. Call it first: if Chromium is not installed, it skips all tests of the suite, with the reason. */
export function useChromium(suite: Mocha.Suite): SharedChromium {
  let path = '';
  suite.beforeAll(function () {
    path = findOrSkip(this);
  });
  // About one of many thousand pages crashes Chromium. The tested code does not cause this, so the body is run once more.
  const withBrowser = async <T>(body: (browser: Browser) => Promise<T>): Promise<T> => {
    const browser = await sharedBrowser(path);
    try {
      return await body(browser);
    } catch (error) {
      if (browser.isConnected()) throw error;
      console.log('Chromium has crashed. It is started anew, and what it was at is repeated:', error);
      return body(await sharedBrowser(path));
    }
  };
  return {
    profile: (options, body) => withBrowser((browser) => inProfile(browser, options, body)),
    open: (options) => withBrowser((browser) => openProfile(browser, options)),
    unguarded: (body) => withBrowser((browser) => inUnguardedProfile(browser, body)),
  };
}

/** Starts Chromium for a program that is not a test. @throws Error if Chromium is not installed */
export async function openChromium(): Promise<SharedChromium & AsyncDisposable> {
  const path = findChromium();
  if (path === undefined) throw new Error(NO_CHROMIUM);
  const browser = await launch(path);
  return {
    profile: (options, body) => inProfile(browser, options, body),
    open: (options) => openProfile(browser, options),
    unguarded: (body) => inUnguardedProfile(browser, body),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

type ProfileBody = Parameters<SharedChromium['profile']>[1];

async function openProfile(browser: Browser, { origins, ...options }: ProfileOptions): Promise<OpenProfile> {
  const profile = await browser.newContext(options);
  profile.setDefaultTimeout(20_000);
  return { profile, guard: guard(profile, origins), [Symbol.asyncDispose]: () => profile.close() };
}

async function inProfile(browser: Browser, options: ProfileOptions, body: ProfileBody): Promise<void> {
  await using opened = await openProfile(browser, options);
  await body(opened.profile, opened.guard);
  opened.guard.check();
}

async function inUnguardedProfile(browser: Browser, body: (profile: BrowserContext) => Promise<void>): Promise<void> {
  const profile = await browser.newContext();
  try {
    await body(profile);
  } finally {
    await profile.close();
  }
}
