import { expect } from 'chai';
import { type HookContext, type Json, type JsonObject, PluginError, type ProviderDefinition } from '#contract';
import plugin from './plugin.ts';

const WEBHOOK = { method: 'POST', url: '', headers: {}, query: {}, rawBody: new Uint8Array(), payload: null };
const TARGET = { url: 'https://svc.example/webhook/e/calendar?svcConnectionId=c', secret: 'the secret' };

function rulesOf(webhook?: ProviderDefinition['webhook']) {
  const definition = { display_name: 'X', docs: 'https://docs.example', auth_mode: 'OAUTH2' } as const;
  return plugin.webhook({ slug: 'x', definition: { ...definition, ...(webhook && { webhook }) } });
}

const keysOf = (...ids: string[]) => ids.map((value) => ({ by: 'connectionId', value }));

/** Creates a hook context whose `fetch` always returns this response and records the calls. */
function contextOf(response: Response, facts: { config?: JsonObject; connectionId?: string; subscription?: JsonObject } = {}) {
  const calls: { method: string; url: string; body: unknown; authorization: string | null }[] = [];
  const ctx: HookContext = {
    connection: {
      connectionId: facts.connectionId ?? 'c',
      integrationId: 'calendar',
      provider: 'scheduling',
      connectionConfig: {},
      metadata: {},
      tags: {},
    },
    integrationConfig: { api_base_url: 'https://api.scheduler.example/v2/', triggers: 'BOOKING_CREATED', ...facts.config },
    tokens: { accessToken: 'token', raw: {} },
    subscription: facts.subscription ?? {},
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const text = await request.text();
      const body = text === '' ? undefined : JSON.parse(text);
      calls.push({ method: request.method, url: request.url, body, authorization: request.headers.get('authorization') });
      return response;
    },
    signal: AbortSignal.timeout(1_000),
    log: () => undefined,
  };
  return { ctx, calls };
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof PluginError)) throw new Error(`not a PluginError: ${String(error)}`);
  expect(error.message).not.to.contain('its words');
  return error.code;
}

describe('plugin scheduling: deliveries', () => {
  it('are signed in the header that the definition names', () => {
    expect(rulesOf().signature[0]).to.deep.include({ header: 'x-scheduler-signature-256', withoutSecret: 'accept' });
    expect(rulesOf({ signature_header: 'X-Cal-Signature-256' }).signature[0]).to.include({ header: 'x-cal-signature-256' });
  });

  for (const [what, query, body, keys] of [
    ['the ID in the URL', { svcConnectionId: 'a' }, {}, ['a']],
    ['the ID in the body', {}, { svcConnectionId: 'b' }, ['b']],
    ['the ID in the URL before that in the body', { svcConnectionId: 'a' }, { svcConnectionId: 'b' }, ['a', 'b']],
    ['nothing without an ID', {}, {}, []],
    ['nothing if the IDs are empty', { svcConnectionId: '' }, { svcConnectionId: '' }, []],
  ] as const) {
    it(`are matched by ${what}, and all connection IDs must agree`, () => {
      const payload = { triggerEvent: 'BOOKING_CREATED', ...body };
      expect(rulesOf().events({ ...WEBHOOK, query, payload })).to.deep.equal([
        { type: 'BOOKING_CREATED', connections: keysOf(...keys), mustAgree: true },
      ]);
    });
  }

  it('may name the connection in another member of the body, but in no other query parameter', () => {
    const { events } = rulesOf({ connection_id_field: 'ours' });
    const payload = { ours: 'b', svcConnectionId: 'c' };
    expect(events({ ...WEBHOOK, query: { ours: 'a' }, payload })[0]?.connections).to.deep.equal(keysOf('b'));
  });

  for (const payload of [
    null,
    [1],
    'x',
    7,
    { svcConnectionId: { a: 1 }, triggerEvent: [] },
    { svcConnectionId: null },
  ] as Json[]) {
    it(`name no connection when the payload is ${JSON.stringify(payload)}`, () => {
      expect(rulesOf().events({ ...WEBHOOK, payload })).to.deep.equal([{ connections: [], mustAgree: true }]);
    });
  }
});

describe('plugin scheduling: registration', () => {
  const { subscribe, unsubscribe } = plugin.subscriptions;
  const created = () => Response.json({ status: 'success', data: { id: 'hook-1' } }, { status: 201 });

  it('is one webhook with the secret of the integration and a template that names the connection', async () => {
    const { ctx, calls } = contextOf(created(), { config: { triggers: 'BOOKING_CREATED, BOOKING_CANCELLED,BOOKING_CREATED' } });
    expect(await subscribe(ctx, TARGET)).to.deep.equal({ id: 'hook-1' });
    const [call = expect.fail()] = calls;
    const { payloadTemplate, ...rest } = call.body as { payloadTemplate: string };
    expect({ ...call, body: rest }).to.deep.equal({
      method: 'POST',
      url: 'https://api.scheduler.example/v2/webhooks',
      authorization: 'Bearer token',
      body: { active: true, subscriberUrl: TARGET.url, triggers: ['BOOKING_CREATED', 'BOOKING_CANCELLED'], secret: 'the secret' },
    });
    expect(JSON.parse(payloadTemplate)).to.include({ svcConnectionId: 'c', triggerEvent: '{{triggerEvent}}' });
  });

  it('escapes the connection ID in the template', async () => {
    const connectionId = 'a "quoted" \\ID';
    const { ctx, calls } = contextOf(created(), { connectionId });
    await subscribe(ctx, TARGET);
    const [call = expect.fail()] = calls;
    const { payloadTemplate } = call.body as { payloadTemplate: string };
    expect(JSON.parse(payloadTemplate)).to.include({ svcConnectionId: connectionId });
  });

  for (const [why, facts] of Object.entries({
    'the integration wants the whole payload': { config: { payload_template: 'none' } },
    'the ID would be taken for a template': { connectionId: '{{organizer.email}}' },
  })) {
    it(`has no template where ${why}`, async () => {
      const { ctx, calls } = contextOf(created(), facts);
      await subscribe(ctx, TARGET);
      expect(calls[0]?.body).not.to.have.property('payloadTemplate');
    });
  }

  it('has no secret where the integration has none, and is not created without triggers', async () => {
    const { ctx, calls } = contextOf(created());
    await subscribe(ctx, { ...TARGET, secret: undefined });
    expect(calls[0]?.body).not.to.have.property('secret');
    const silent = contextOf(created(), { config: { triggers: ' ' } });
    expect(await subscribe(silent.ctx, TARGET)).to.deep.equal({});
    expect(silent.calls).to.deep.equal([]);
  });

  for (const [status, code] of [
    [400, 'invalid_connection_config'],
    [401, 'invalid_credentials'],
    [403, 'invalid_credentials'],
    [429, 'provider_unavailable'],
    [500, 'provider_unavailable'],
    [200, 'provider_unavailable'],
  ] as const) {
    it(`fails with ${code} when the provider responds with ${status} without an ID`, async () => {
      expect(await codeOf(subscribe(contextOf(new Response('its words', { status })).ctx, TARGET))).to.equal(code);
    });
  }

  it('is removed by its ID, even if the provider does not have it', async () => {
    const subscription = { id: 'a/b' };
    for (const status of [200, 404]) {
      const { ctx, calls } = contextOf(new Response(null, { status }), { subscription });
      await unsubscribe(ctx);
      expect(calls.map(({ method, url }) => [method, url])).to.deep.equal([
        ['DELETE', 'https://api.scheduler.example/v2/webhooks/a%2Fb'],
      ]);
    }
    expect(await codeOf(unsubscribe(contextOf(new Response('its words', { status: 500 }), { subscription }).ctx))).to.equal(
      'provider_unavailable',
    );
  });
});
