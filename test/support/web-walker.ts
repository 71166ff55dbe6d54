import { type ClientResponse, readResponse } from './http-client.ts';

const MAX_REDIRECTS = 20;

export interface Page extends ClientResponse {
  readonly url: string;
}

/**
 * A person's browser, simulated as far as an OAuth flow needs one. It keeps the cookies of each origin and follows redirects one
 * by one.
 */
export class WebWalker {
  /** The cookies, by origin and name. */
  readonly #cookies = new Map<string, Map<string, string>>();

  /** Sends one request without following redirects. */
  async visit(url: string, init: RequestInit = {}): Promise<Page> {
    const { origin } = new URL(url);
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries({ accept: 'text/html', ...this.#cookieHeader(origin) })) headers.set(name, value);
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    this.#keepCookies(origin, response.headers.getSetCookie());
    return { ...(await readResponse(response)), url };
  }

  /** Follows redirects to a page, or to an address that `stop` accepts, which is then not visited. */
  async follow(
    url: string,
    stop: (url: string) => boolean = () => false,
    init: RequestInit = {},
  ): Promise<Page | { readonly stoppedAt: string }> {
    let page = await this.visit(url, init);
    for (let redirects = 0; redirects < MAX_REDIRECTS; redirects += 1) {
      const location = page.headers.get('location');
      if (location === null) return page;
      const next = new URL(location, page.url).href;
      if (stop(next)) return { stoppedAt: next };
      page = await this.visit(next);
    }
    throw new Error(`more than ${MAX_REDIRECTS} redirects, the last to ${new URL(page.url).origin}`);
  }

  /** Returns the header `Cookie` that the browser would send to this origin. */
  cookies(origin: string): string {
    return this.#cookieHeader(origin)['cookie'] ?? '';
  }

  #cookieHeader(origin: string): Record<string, string> {
    const cookies = [...(this.#cookies.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`);
    return cookies.length === 0 ? {} : { cookie: cookies.join('; ') };
  }

  #keepCookies(origin: string, lines: readonly string[]): void {
    const jar = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, jar);
    for (const line of lines) {
      const [, name = '', value = ''] = line.match(/^([^=;]+)=([^;]*)/) ?? [];
      if (/;\s*(max-age=0|expires=Thu, 01 Jan 1970)/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
  }
}
