import type { BrowserContext } from 'playwright-core';

/** Watches for faults of pages: errors in the console, violated policies, uncaught errors, requests to other origins. */
export interface Guard {
  /** Allows errors in the console that belong to the test, such as a response with status 401. */
  expect(...errors: readonly RegExp[]): void;
  /** Every request so far. */
  readonly requests: readonly { readonly url: string; readonly referer: string | undefined }[];
  /** @throws Error that lists the faults */
  check(): void;
}

export function guard(profile: BrowserContext, origins: readonly string[]): Guard {
  const faults: string[] = [];
  // The browser requests the favicon by itself.
  const expected: RegExp[] = [/favicon\.ico/];
  const requests: { url: string; referer: string | undefined }[] = [];
  profile.on('console', (message) => {
    // Chromium writes violations of a content security policy here, too.
    if (message.type() === 'error') faults.push(`console: ${message.text()} (${message.location().url})`);
  });
  profile.on('weberror', (error) => faults.push(`uncaught: ${error.error()}`));
  profile.on('request', (request) => {
    const url = request.url();
    requests.push({ url, referer: request.headers()['referer'] });
    if (/^https?:/.test(url) && !origins.includes(new URL(url).origin)) faults.push(`request to ${url}`);
  });
  return {
    requests,
    expect: (...errors) => expected.push(...errors),
    check() {
      const left = faults.filter((fault) => !expected.some((pattern) => pattern.test(fault)));
      if (left.length > 0) throw new Error(`on the pages of this test:\n${left.join('\n')}`);
    },
  };
}
