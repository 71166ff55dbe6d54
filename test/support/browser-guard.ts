import type { BrowserContext } from 'playwright-core';

/** Watches pages for errors in the console, violated content security policies, uncaught errors and requests to other origins. */
export interface Guard {
  /** Allows faults that the test provokes, such as the error in the console after a response with status 401. */
  expect(...errors: readonly RegExp[]): void;
  /** All requests of the pages so far. */
  readonly requests: readonly { readonly url: string; readonly referer: string | undefined }[];
  /** Checks that the pages had no faults other than the allowed ones. @throws Error that lists them */
  check(): void;
}

export function guard(profile: BrowserContext, origins: readonly string[]): Guard {
  const faults: string[] = [];
  // The browser requests the favicon by itself, so an error about it is no fault of the page.
  const expected: RegExp[] = [/favicon\.ico/];
  const requests: { url: string; referer: string | undefined }[] = [];
  profile.on('console', (message) => {
    // Chromium also reports violations of a content security policy as errors in the console.
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
