import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { UI_ERROR_CODES } from '../../core/connect/flows/ui-errors.ts';
import { ERROR_STATUS } from '../../core/errors.ts';
import { useChromium } from '../support/browser.ts';
import { type CustomerPage, startCustomer } from '../support/browser-customer/customer.ts';
import type { Guard } from '../support/browser-guard.ts';
import { startStubService } from '../support/browser-stub-service.ts';
import { type Told, ToldFlow } from '../support/told-flow.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

/** The error codes for which the window has a text. */
const TOLD_CODES: readonly string[] = [...UI_ERROR_CODES, 'origin_not_allowed'];
const RETRYABLE = ['rate_limited', 'field_invalid', 'server_error'];
const CONSTRUCTED = { svc: { connectSessionToken: 'token-1' } };
/** Error codes of the SDK, each with the status and the error of a response from which the SDK derives it. */
const REFUSALS = [
  ['session_used', 401, { code: 'unknown_connect_session_token', message: 'm', errors: [{ code: 'session_used', path: [] }] }],
  ['session_expired', 401, { code: 'unknown_connect_session_token', message: 'm' }],
  ['origin_not_allowed', 403, { code: 'forbidden', message: 'm', errors: [{ code: 'origin_not_allowed', path: [] }] }],
  ['integration_unavailable', 403, { code: 'forbidden', message: 'm' }],
  ['rate_limited', 429, { code: 'too_many_request', message: 'm' }],
  ['field_invalid', 400, { code: 'invalid_body', message: 'm', errors: [{ code: 'x', message: 'm', path: ['params', 'a'] }] }],
  ['integration_unavailable', 400, { code: 'integration_not_allowed', message: 'm' }],
  ['integration_unavailable', 404, { code: 'unknown_provider_config', message: 'm' }],
  ['server_error', 503, { code: 'storage_unavailable', message: 'm' }],
] as const;

function refuse(response: ServerResponse, status: number, error: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}

describe('connecting with the frontend SDK, without the window', function () {
  const chromium = useChromium(this);
  const service = use(this, startStubService);
  const customer = use(this, startCustomer);
  let flow: ToldFlow | undefined;
  let streamStatus = 200;
  /** If set, the stub responds with this error to every request about flows. */
  let refusal: { readonly status: number; readonly code: string } | undefined;
  let launchPage: 'asks' | 'silent' = 'asks';

  beforeEach(() => {
    [streamStatus, launchPage, refusal] = [200, 'asks', undefined];
    service.api = (request, response) => {
      const { method, path, headers } = request;
      if (path.startsWith('/connect/launch')) {
        if (launchPage === 'asks') flow?.tell({ state: 'opened' });
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><link rel="icon" href="data:,">');
      } else if (refusal !== undefined) refuse(response, refusal.status, { code: refusal.code, message: 'm' });
      else if (method === 'POST' && path === '/connect/flows') {
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
    // The stub forgets the flow of the page before, so each page begins without one.
    flow = undefined;
    service.clear();
    return chromium.profile({ origins: [service.url, customer.origin] }, async (profile, guard) => {
      // The tests cut streams and send error responses, which the console reports.
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

  it('opens the provider’s page on the click, and reports the result', async () => {
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

  it('resumes a broken stream where it ended, and polls if no stream gets through', async () => {
    await onPage(async (page) => {
      await signIn(page);
      await until('it listens', () => callsTo('/events').length > 0);
      await tell({ state: 'redirected' });
      flow?.cut();
      await until('it listens again', () => callsTo('/events').length > 1);
      expect(Number(callsTo('/events').at(-1)?.headers['last-event-id'])).to.be.above(1);
      streamStatus = 503;
      flow?.cut();
      await tell({ state: 'succeeded' });
      expect((await page.outcome()).result).to.deep.include({ integrationId: 'crm' });
    });
  });

  it('continues after the service was without its database, was full, or restarted', async () => {
    await onPage(async (page) => {
      const asked = () => service.requests.filter(({ path }) => /flows(.[-0-9a-f]{36})?$/.test(path)).length;
      const refused = async (code: string) => {
        refusal = { status: 503, code };
        flow?.cut();
        const before = asked();
        await until(`it hears ${code}`, () => asked() > before);
      };
      const begun = signIn(page);
      await refused('storage_unavailable');
      refusal = undefined;
      await begun;
      await until('it listens', () => callsTo('/events').length > 0);
      for (const code of ['storage_unavailable', 'overloaded', 'draining']) await refused(code);
      flow?.tell({ state: 'succeeded' });
      refusal = undefined;
      expect(await page.outcome()).to.deep.equal({ result: { integrationId: 'crm' } });
      expect(service.requests.map(({ method }) => method)).to.not.include('DELETE');
    });
  });

  it('ends when the service refuses, or does not answer for the lifetime of a flow', async () => {
    const begin = async (page: CustomerPage) => {
      await page.call('auth', { ...CONSTRUCTED, args: ['desk', { credentials: {} }] });
      await until('it listens', () => callsTo('/events').length > 0);
    };
    await onPage(async (page) => {
      await begin(page);
      refusal = { status: 404, code: 'not_found' };
      flow?.cut();
      expect((await page.outcome()).error).to.deep.include({ code: 'integration_unavailable', retryable: false });
    });
    refusal = undefined;
    service.clear();
    await onPage(async (page) => {
      await page.page.clock.install();
      await begin(page);
      await page.read("void (globalThis.fetch = async () => { throw new TypeError('no network'); })");
      flow?.cut();
      await page.page.clock.runFor(50 * 60_000);
      expect(await page.read('customer.outcome')).to.equal(undefined);
      await page.page.clock.runFor(15 * 60_000);
      expect((await page.outcome()).error).to.deep.include({ code: 'server_error', retryable: true });
    });
  });

  it('is cancelled by a signal: the flow is deleted, its window closed', async () => {
    await onPage(async (page) => {
      const popup = await signIn(page);
      await until('it listens', () => callsTo('/events').length > 0);
      // While the window moves to the process of its first page, Chromium would lose this and every later call that closes it.
      await popup.waitForLoadState();
      await Promise.all([popup.waitForEvent('close'), page.read('customer.cancel.abort()')]);
      expect((await page.outcome()).error).to.deep.include({ name: 'AuthError', code: 'flow_cancelled', retryable: true });
      await until('the flow is deleted', () => service.requests.some(({ method }) => method === 'DELETE'));
    });
  });

  it('decides by the launch page alone whether the browser has blocked the window', async () => {
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
      await until('the launch page is asked for', () => callsTo('/connect/launch').length > 0);
      await until('it listens', () => callsTo('/events').length > 0);
      await tell({ state: 'succeeded' });
      expect((await page.outcome()).result).to.deep.include({ integrationId: 'crm' });
    });
    await onPage(async (page) => {
      await page.read('{ const { open } = globalThis; globalThis.open = (...given) => (open(...given), null); }');
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

  it('accepts credentials without a window, and reports errors by field', async () => {
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

  it('lets the user choose, and fails if nobody can be asked', async () => {
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

  it('maps each error response to a code', () =>
    onPage(async (page) => {
      for (const [code, status, error] of REFUSALS) {
        service.api = (_, response) => refuse(response, status, error);
        await page.read('void (customer.outcome = undefined)');
        await page.call('session', CONSTRUCTED);
        const retryable = RETRYABLE.includes(code);
        expect((await page.outcome()).error).to.deep.include({ name: 'AuthError', code, message: 'm', retryable });
      }
    }));

  it('has a code for every error code of the service', async () => {
    let [code, status] = ['', 0];
    service.api = (_, response) => refuse(response, status, { code, message: 'm' });
    await onPage(async (page) => {
      for ([code, status] of Object.entries(ERROR_STATUS)) {
        await page.read('void (customer.outcome = undefined)');
        await page.call('session', CONSTRUCTED);
        expect((await page.outcome()).error?.code, code).to.be.oneOf(TOLD_CODES);
      }
    });
  });

  it('reports a pending approval as not retryable', async () => {
    await onPage(async (page) => {
      await signIn(page);
      await tell({ state: 'failed', error: { code: 'approval_pending', message: null, fields: [], log_id: null } });
      expect((await page.outcome()).error).to.deep.include({ code: 'approval_pending', retryable: false });
    });
  });

  it('takes the integration to reconnect from the session, and fails without a session', async () => {
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
