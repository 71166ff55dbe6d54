import { existsSync } from 'node:fs';
import type { Context } from 'mocha';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { skipBecause } from './skip.ts';

const SYSTEM_CHROMIUM = '/usr/bin/chromium';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Where Chromium is, or undefined where there is none. */
export function findChromium(): string | undefined {
  const path = process.env['CHROMIUM'] ?? SYSTEM_CHROMIUM;
  return existsSync(path) ? path : undefined;
}

/** Runs a test body in a fresh profile of a real Chromium; skips the test, with the reason, where there is none. */
export async function withChromium(test: Context, body: (browser: BrowserContext) => Promise<void>): Promise<void> {
  const executablePath = findChromium();
  if (executablePath === undefined) skipBecause(test, `no Chromium; set CHROMIUM or install ${SYSTEM_CHROMIUM}`);
  const browser: Browser = await chromium.launch({ executablePath, args: FLAGS });
  try {
    await body(await browser.newContext());
  } finally {
    await browser.close();
  }
}
