import type { BrowserContext, Frame, Page } from 'playwright-core';
import { type LoopbackServer, serve } from './loopback-server.ts';
import { until } from './until.ts';

/** Keeps what it hears, and answers nothing by itself. */
const SCRIPT = `globalThis.heard = [];
addEventListener('message', ({ origin, data }) => heard.push({ origin, data }));`;

/** A site of somebody who wishes no good, on another origin than the service and the application. */
export interface HostileSite extends AsyncDisposable {
  readonly origin: string;
  /** Its page in a tab, with this address in a frame if there is one. */
  visit(profile: BrowserContext, framed?: string): Promise<HostilePage>;
}

export interface HostilePage {
  readonly page: Page;
  /** What its page has been sent. */
  heard(): Promise<readonly { readonly origin: string; readonly data: unknown }[]>;
  /** Posts this to its frame. */
  post(message: unknown): Promise<void>;
  /** The document in its frame. */
  frame(): Promise<Frame>;
}

export async function startHostileSite(): Promise<HostileSite> {
  const server: LoopbackServer = await serve(({ url = '/' }, response) => {
    const isScript = url === '/hostile.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? SCRIPT : '<!doctype html><link rel="icon" href="data:,"><script src="/hostile.js"></script>');
  });
  // Another site than the service's 127.0.0.1, and another origin than the application's.
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
