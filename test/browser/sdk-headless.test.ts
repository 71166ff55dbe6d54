import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { useChromium } from '../support/browser.ts';
import { type CustomerPage, startCustomer } from '../support/browser-customer/customer.ts';
import type { Guard } from '../support/browser-guard.ts';
import { type StubRequest, startStubService } from '../support/browser-stub-service.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const CONSTRUCTED = { svc: { connectSessionToken: 'token-1' } };

interface Told {
  readonly state: string;
  readonly [name: string]: unknown;
}

/** One flow, whose states a test tells one after the other. */
class ToldFlow {
  readonly #streams: ServerResponse[] = [];
  readonly #created: Readonly<Record<string, unknown>>;
  #flow: Readonly<Record<string, unknown>>;
  #version = 1;

  constructor({ body }: StubRequest) {
    const { id, integration_id, credentials } = JSON.parse(body);
    const others = { error: null, account: null, options: [], is_limited: false };
    this.#created = { id, integration_id, ...others };
    this.#flow = { ...this.#created, version: 1, state: credentials ? 'verifying' : 'created' };
  }

  reply(response: ServerResponse, status = 200): void {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ data: this.#flow }));
  }

  stream(response: ServerResponse, lastEventId: string | undefined): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': there\n\n');
    this.#streams.push(response);
    if (lastEventId !== String(this.#version)) this.#write(response);
  }

  tell(changes: Told): void {
    this.#version += 1;
    this.#flow = { ...this.#created, version: this.#version, ...changes };
    for (const stream of this.#streams) this.#write(stream);
  }

  cut(): void {
    for (const stream of this.#streams.splice(0)) stream.end();
  }

  #write(stream: ServerResponse): void {
    // In two parts, as networks like it.
    const text = `id: ${this.#version}\nevent: flow\ndata: ${JSON.stringify(this.#flow)}\n\n`;
    stream.write(text.slice(0, 20));
    stream.write(text.slice(20));
  }
}

describe('connecting with the frontend SDK, without the window', function () {
  const chromium = useChromium(this);
  const service = use(this, startStubService);
  const customer = use(this, startCustomer);
  let flow: ToldFlow | undefined;
  let streamStatus = 200;
  let launchPage: 'asks' | 'silent' = 'asks';

  beforeEach(() => {
    [flow, streamStatus, launchPage] = [undefined, 200, 'asks'];
    service.clear();
    service.api = (request, response) => {
      const { method, path, headers } = request;
      if (path.startsWith('/connect/launch')) {
        if (launchPage === 'asks') flow?.tell({ state: 'opened' });
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><link rel="icon" href="data:,">');
      } else if (method === 'POST' && path === '/connect/flows') {
        flow = new ToldFlow(request);
        flow.reply(response, 201);
      } else if (method === 'DELETE') response.writeHead(204).end();
      else if (path.endsWith('/choice')) response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{}}');
      else if (!path.endsWith('/events')) flow?.reply(response);
      else if (streamStatus !== 200) response.writeHead(streamStatus).end('{}');
      else flow?.stream(response, headers['last-event-id'] as string | undefined);
    };
  });

  type Body = (page: CustomerPage, guard: Guard, profile: BrowserContext) => Promise<void>;
  function onPage(body: Body): Promise<void> {
    return chromium.profile({ origins: [service.url, customer.origin] }, async (profile, guard) => {
      // Streams that are cut, and responses that are no success.
      guard.expect(/console: Failed to load resource/);
      await body(await customer.open(profile, service.url), guard, profile);
    });
  }

  const tell = async (changes: Told): Promise<void> => {
    await until('there is a flow', () => flow !== undefined);
    flow?.tell(changes);
  };
  const callsTo = (part: string) => service.requests.filter(({ path }) => path.includes(part));

  async function signIn(page: CustomerPage, options: object = {}): Promise<Page> {
    const popup = page.page.context().waitForEvent('page');
    await page.call('auth', { ...CONSTRUCTED, args: ['crm', {}], ...options });
    return popup;
  }

  it('opens the provider’s page in the click, and hears how it ended', async () => {
    await onPage(async (page) => {
      const popup = await signIn(page, { args: ['crm', { params: { site: 'acme' } }] });
      await tell({ state: 'redirected' });
      await tell({ state: 'succeeded' });
      expect(await page.outcome()).to.deep.equal({ result: { integrationId: 'crm' } });
      const [begun] = callsTo('/connect/flows').filter(({ method }) => method === 'POST');
      const sent = JSON.parse(begun?.body ?? '{}');
      expect(sent.id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(sent).to.deep.include({ integration_id: 'crm', params: { site: 'acme' } });
      expect(popup.url()).to.equal(`${service.url}/connect/launch#${sent.launch_id}`);
      expect(sent.launch_id).to.match(/^[\w-]{22,64}$/);
      expect(begun?.headers.authorization).to.equal('Bearer token-1');
    });
  });

  it('goes on where a stream broke off, and asks where none gets through', async () => {
    await onPage(async (page) => {
      await signIn(page);
      await until('it listens', () => callsTo('/events').length > 0);
      const before = callsTo('/events').length;
      await tell({ state: 'redirected' });
      flow?.cut();
      await until('it listens again', () => callsTo('/events').length > before);
      expect(Number(callsTo('/events').at(-1)?.headers['last-event-id'])).to.be.above(1);
      streamStatus = 503;
      flow?.cut();
      await tell({ state: 'succeeded' });
      expect((await page.outcome()).result).to.deep.include({ integrationId: 'crm' });
    });
  });

  it('is cancelled by a signal: the flow is deleted, its window closed', async () => {
    await onPage(async (page) => {
      const popup = await signIn(page);
      await until('it listens', () => callsTo('/events').length > 0);
      const closed = popup.waitForEvent('close');
      await page.read('customer.cancel.abort()');
      expect((await page.outcome()).error).to.deep.include({ name: 'AuthError', code: 'flow_cancelled', retryable: true });
      await closed;
      await until('the flow is deleted', () => service.requests.some(({ method }) => method === 'DELETE'));
    });
  });

  it('knows by the launch page alone whether the browser has stopped the window', async () => {
    await onPage(async (page) => {
      await page.page.clock.install();
      await page.read('void (globalThis.open = () => null)');
      await page.call('auth', { ...CONSTRUCTED, args: ['crm'] });
      await page.page.clock.runFor(3_000);
      expect((await page.outcome()).error).to.deep.include({ code: 'popup_blocked', retryable: true });
    });
    await onPage(async (page) => {
      await page.page.clock.install();
      await page.read('void (globalThis.open = () => null)');
      await page.call('auth', { ...CONSTRUCTED, args: ['crm'], showsLink: true });
      await page.page.clock.runFor(3_000);
      await until('there is a link', async () => Boolean(await page.read('customer.link')));
      await page.page.click('#link');
      await tell({ state: 'succeeded' });
      expect((await page.outcome()).result).to.deep.include({ integrationId: 'crm' });
    });
    await onPage(async (page) => {
      await page.read('{ const { open } = globalThis; globalThis.open = (...given) => (open(...given), null); }');
      service.clear();
      await page.page.clock.install();
      await signIn(page, { choose: 'One' });
      await until('it listens', () => callsTo('/events').length > 0);
      await tell({ state: 'choosing', options: [{ id: 's1', label: 'One' }] });
      await until('it has heard of the window', () => callsTo('/choice').length === 1);
      await page.page.clock.runFor(20_000);
      await tell({ state: 'succeeded' });
      expect((await page.outcome()).result).to.deep.include({ integrationId: 'crm' });
    });
  });

  it('takes credentials without a window, and tells what is wrong with which field', async () => {
    await onPage(async (page, _, profile) => {
      await page.call('auth', { ...CONSTRUCTED, args: ['desk', { credentials: { apiKey: 'k' } }] });
      const fields = [{ path: ['credentials', 'apiKey'], code: 'required', message: 'Enter your API key.' }];
      await tell({ state: 'failed', error: { code: 'field_invalid', message: null, fields, log_id: 'log_1' } });
      const { error } = await page.outcome();
      const told = {
        name: 'AuthError',
        code: 'field_invalid',
        message: 'field_invalid',
        fields,
        logId: 'log_1',
        retryable: true,
      };
      expect(error).to.deep.equal(told);
      expect(profile.pages()).to.have.length(1);
    });
  });

  it('lets the user choose, and says so where nobody can be asked', async () => {
    const choosing = {
      state: 'choosing',
      options: [
        { id: 's1', label: 'One' },
        { id: 's2', label: 'Two' },
      ],
    };
    await onPage(async (page) => {
      await signIn(page, { choose: 'Two' });
      await tell(choosing);
      await until('the choice has come', () => callsTo('/choice').length === 1);
      expect(callsTo('/choice')[0]?.body).to.equal('{"id":"s2"}');
      await tell({ state: 'succeeded' });
      expect((await page.outcome()).result).to.deep.include({ integrationId: 'crm' });
    });
    await onPage(async (page) => {
      await signIn(page);
      await tell(choosing);
      expect((await page.outcome()).error).to.deep.include({ code: 'choice_required', retryable: false });
    });
  });

  for (const [code, status, error] of [
    ['session_used', 401, { code: 'unknown_connect_session_token', message: 'm', errors: [{ code: 'session_used', path: [] }] }],
    ['session_expired', 401, { code: 'unknown_connect_session_token', message: 'm' }],
    ['origin_not_allowed', 403, { code: 'forbidden', message: 'm', errors: [{ code: 'origin_not_allowed', path: [] }] }],
    ['rate_limited', 429, { code: 'too_many_request', message: 'm' }],
    ['field_invalid', 400, { code: 'invalid_body', message: 'm', errors: [{ code: 'x', message: 'm', path: ['params', 'a'] }] }],
    ['unknown_provider_config', 404, { code: 'unknown_provider_config', message: 'm' }],
  ] as const) {
    it(`says ${code} for a response with status ${status}`, async () => {
      service.api = (_, response) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      await onPage(async (page) => {
        await page.call('session', CONSTRUCTED);
        expect((await page.outcome()).error).to.deep.include({ name: 'AuthError', code, message: 'm' });
      });
    });
  }

  it('asks the session for the integration that is connected again, and works with none at all', async () => {
    const { api } = service;
    service.api = (request, response) => {
      if (request.path !== '/connect/session') api(request, response);
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"reconnect":{"integration":"crm"}}}');
    };
    await onPage(async (page) => {
      await page.call('reconnect', CONSTRUCTED);
      await tell({ state: 'succeeded' });
      expect((await page.outcome()).result).to.deep.include({ integrationId: 'crm' });
    });
    await onPage(async (page) => {
      await page.call('session', {});
      expect((await page.outcome()).error).to.deep.include({ code: 'session_missing', retryable: false });
    });
  });
});
