import type { BrowserContext, Frame, Page } from 'playwright-core';
import { type LoopbackServer, serve } from './loopback-server.ts';
import { until } from './until.ts';

/** The script of the attacker's page. It keeps the messages that it receives, and does not respond to them. */
const SCRIPT = `globalThis.heard = [];
addEventListener('message', ({ origin, data }) => heard.push({ origin, data }));`;

/** An attacker's site, with an origin other than those of the service and the application. */
export interface HostileSite extends AsyncDisposable {
  readonly origin: string;
  /** Opens the site's page in a tab. If `framed` is set, the page shows that URL in a frame. */
  visit(profile: BrowserContext, framed?: string): Promise<HostilePage>;
}

export interface HostilePage {
  readonly page: Page;
  /** Returns the messages that the page has received. */
  heard(): Promise<readonly { readonly origin: string; readonly data: unknown }[]>;
  /** Posts a message to the page's frame. */
  post(message: unknown): Promise<void>;
  /** Returns the document in the page's frame. */
  frame(): Promise<Frame>;
}

export async function startHostileSite(): Promise<HostileSite> {
  const server: LoopbackServer = await serve(({ url = '/' }, response) => {
    const isScript = url === '/hostile.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? SCRIPT : '<!doctype html><link rel="icon" href="data:,"><script src="/hostile.js"></script>');
  });
  // The host makes this another site than the service's 127.0.0.1, and the port another origin than the application's.
  const origin = `http://localhost:${server.port}`;
  return {
    origin,
    async visit(profile, framed) {
      const page = await profile.newPage();
      await page.goto(origin);
      const show = `document.body.append(Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(framed)} }))`;
      if (framed !== undefined) await page.evaluate(`void ${show}`);
      return {
        page,
        heard: () => page.evaluate('heard'),
        post: (message) => page.evaluate(`frames[0].postMessage(${JSON.stringify(message)}, '*')`),
        async frame() {
          await until('the frame is there', () => page.frames().some((frame) => frame.url().includes('/connect')));
          return page.frames()[1] as Frame;
        },
      };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
