import { readFileSync } from 'node:fs';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import { type LoopbackServer, serve } from '../loopback-server.ts';
import { until } from '../until.ts';

const SCRIPT = readFileSync(new URL('page.js', import.meta.url));

export interface CustomerOptions {
  /** The `Cross-Origin-Opener-Policy` of the application's page. */
  readonly coop?: string;
}

/** An application on `http://localhost`, which is another site than the service on `http://127.0.0.1`. */
export interface Customer extends AsyncDisposable {
  readonly origin: string;
  /** Opens the application's page, which loads the SDK from this service. */
  open(profile: BrowserContext, serviceUrl: string, options?: CustomerOptions): Promise<CustomerPage>;
}

/** Starts the application. Its page has the strictest content security policy under which the SDK works. */
export async function startCustomer(): Promise<Customer> {
  const server: LoopbackServer = await serve(({ url = '/' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (pathname === '/page.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(SCRIPT);
      return;
    }
    const service = searchParams.get('service') ?? '';
    const { origin } = new URL(service);
    const coop = searchParams.get('coop');
    response.writeHead(200, {
      'content-type': 'text/html',
      'content-security-policy': `default-src 'none'; script-src 'self' ${origin}; frame-src ${origin}; connect-src ${origin}; img-src data:`,
      ...(coop !== null && { 'cross-origin-opener-policy': coop }),
    });
    response.end(pageOf(service));
  });
  const origin = `http://localhost:${server.port}`;
  return {
    origin,
    async open(profile, serviceUrl, { coop } = {}) {
      const page = await profile.newPage();
      const query = new URLSearchParams({ service: serviceUrl, ...(coop !== undefined && { coop }) });
      await page.goto(`${origin}/?${query}`);
      return new CustomerPage(page, serviceUrl);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Returns the application's page, which is tall enough to scroll. */
function pageOf(service: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Customer</title><link rel="icon" href="data:,">
<h1>Customer</h1><button id="open">Connect</button> <a id="link" target="_blank" rel="noopener">Open the window</a>
<div id="container"></div><pre>${'\n'.repeat(200)}</pre>
<script src="${service}/sdk/v1.js"></script><script src="page.js"></script>`;
}

export interface SdkEvent {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly at: string;
  readonly sessionRef: string | null;
}

export interface CallError {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly fields: readonly { readonly path: readonly string[]; readonly code: string; readonly message: string }[];
  readonly logId: string | null;
  readonly retryable: boolean;
}

export interface Outcome {
  readonly reason?: string;
  readonly integrationId?: string;
  readonly result?: unknown;
  readonly error?: CallError;
}

/** The application's page, as a test uses and observes it. */
export class CustomerPage {
  readonly page: Page;
  readonly #serviceUrl: string;

  constructor(page: Page, serviceUrl: string) {
    this.page = page;
    this.#serviceUrl = serviceUrl;
  }

  /** Returns the application's page in another tab, where it is already open. */
  in(page: Page): CustomerPage {
    return new CustomerPage(page, this.#serviceUrl);
  }

  /** Clicks the button of the page so that it opens the connect window with these options. */
  async openWindow(options: object = {}): Promise<void> {
    await this.#click('armWindow', options);
  }

  /** Clicks the button of the page so that it calls a method of the SDK with these options. */
  async call(method: string, options: object): Promise<void> {
    await this.#click('armCall', { method, ...options });
  }

  async #click(arm: string, options: object): Promise<void> {
    await this.page.evaluate(`customer.${arm}(${JSON.stringify(options)})`);
    await this.page.click('#open');
  }

  /** Waits for the document inside the connect window and returns it. */
  async frame(): Promise<Frame> {
    return found('the window', async () =>
      this.page.frames().find((frame) => frame.url().startsWith(`${this.#serviceUrl}/connect`)),
    );
  }

  read<T>(expression: string): Promise<T> {
    return this.page.evaluate(expression);
  }

  events(): Promise<readonly SdkEvent[]> {
    return this.read('customer.events');
  }

  async types(): Promise<readonly string[]> {
    return (await this.events()).map(({ type }) => type);
  }

  /** Waits until the promise that the SDK returned for the window or the call is settled, and returns its result. */
  outcome(): Promise<Outcome> {
    return found('the outcome', () => this.read<Outcome | undefined>('customer.outcome'));
  }
}

async function found<T>(what: string, find: () => Promise<T | undefined>): Promise<T> {
  let value: T | undefined;
  await until(
    what,
    async () => {
      value = await find();
      return value !== undefined;
    },
    20_000,
  );
  if (value === undefined) throw new Error(`there is no ${what}`);
  return value;
}
