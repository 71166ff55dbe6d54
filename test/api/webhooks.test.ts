import { expect } from 'chai';
import type { TestApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { createHook, type Hook, hookSender, matchAll } from '../support/hooked.ts';
import { HookedApp } from '../support/hooked-app.ts';
import { type Client, type ClientResponse, client } from '../support/http-client.ts';
import { use } from '../support/use.ts';

const SUCCESS = { status: 'success' };

describe('POST /webhook/{environment_uuid}/{unique_key}', function () {
  const hooked = use(this, () => HookedApp.open({ env: { SVC_CLIENT_PREFIX: 'acme' } }));
  let app: TestApp;
  let hook: Hook;
  let open: Hook;

  before(() => {
    ({ app, hook, open } = hooked);
  });

  it('stores a signed delivery, and forwards it once as verified', async () => {
    const connectionId = await hooked.store();
    const keys = [{ by: 'connectionId', value: connectionId }];
    const sent = await hooked.forwards(async () => {
      const response = await hooked.deliver({ type: 'made', keys }, { headers: { 'x-hook-event': 'made' } });
      expect([response.status, response.body]).to.deep.equal([200, SUCCESS]);
    });
    expect(sent).to.have.length(1);
    const { payload, ...envelope } = sent[0]?.body ?? {};
    expect(envelope).to.deep.equal({ from: 'hooked', providerConfigKey: 'hook', type: 'forward', connectionId });
    expect(payload).to.deep.equal({ serial: hooked.serial, type: 'made', keys });
    expect(sent[0]?.headers).to.include({ 'svc-webhook-verified': 'true', 'x-hook-event': 'made' });
  });

  it('forwards without connectionId if no connection is found', async () => {
    const sent = await hooked.forwards(() => hooked.deliver({ keys: [{ by: 'connectionId', value: 'nobody' }] }));
    expect(sent.map(({ body }) => Object.keys(body))).to.deep.equal([['from', 'providerConfigKey', 'type', 'payload']]);
  });

  it('marks unverified deliveries', async () => {
    const sent = await hooked.forwards(() => hooked.deliver({}, {}, open));
    expect(sent.map(({ headers }) => headers['svc-webhook-verified'])).to.deep.equal(['false']);
  });

  const REFUSED: Record<string, () => Promise<ClientResponse>> = {
    'webhook_missing_signature 401': () => hookSender(app.client(), { ...hook, secret: undefined })({ a: 1 }),
    'webhook_invalid_signature 401': () => hooked.deliver({}, { headers: { 'x-hook-signature': `sha256=${'0'.repeat(64)}` } }),
    'webhook_invalid_payload 400': () => hookSender(app.client(), hook)(`${'['.repeat(300)}${']'.repeat(300)}`),
    'payload_too_large 413': () => hookSender(app.client(), hook)(Buffer.alloc(10 * 1024 * 1024 + 1)),
    'invalid_content_type 415': () => hooked.deliver({}, { headers: { 'content-encoding': 'zstd' } }),
  };
  for (const [expected, send] of Object.entries(REFUSED)) {
    it(`refuses with ${expected} and forwards nothing`, async () => {
      const sent = await hooked.forwards(async () => {
        const { status, body } = await send();
        expect(`${body.error.code} ${status}`).to.equal(expected);
        expect(Object.keys(body.error)).to.have.members(['code', 'message']);
      });
      expect(sent).to.deep.equal([]);
    });
  }

  it('logs why a delivery was refused, at most 20 times a minute', async () => {
    const refused = () =>
      app.services.db('operation_log').where({ type: 'webhook', status: 'failure', provider_config_key: 'told' });
    const reported = await createHook(app.api, hooked.uuid, { key: 'told' });
    await app.clock.nextMinute(app.clock.monotonicMs());
    for (let count = 0; count < 30; count += 1) await hookSender(app.client(), { ...reported, secret: undefined })({ a: 1 });
    await app.services.activity.flush();
    const rows = await refused();
    expect(rows).to.have.length(20);
    expect(rows[0].operation).to.equal('refused');
    expect(rows[0].messages[0].facts).to.deep.include({ error: 'webhook_missing_signature' });
    expect(rows[0]).to.include({
      error_code: 'webhook_missing_signature',
      summary: 'a delivery was rejected: the delivery is not signed',
    });
  });

  it('logs what was received, for whom, and whether it was verified', async () => {
    const connectionId = await hooked.store();
    await hooked.forwards(() => hooked.deliver({ type: 'logged', keys: [{ by: 'connectionId', value: connectionId }] }));
    await app.services.activity.flush();
    const row = await app.services.db('operation_log').where({ connection_id: connectionId, operation: 'received' }).first();
    expect(row).to.include({
      summary: 'logged matched a connection',
      status: 'success',
      connection_id: connectionId,
      provider_config_key: 'hook',
    });
    expect(row.messages[0].facts).to.deep.include({
      verified: true,
      events: [{ type: 'logged', connectionIds: [connectionId] }],
    });
  });

  describe('a plugin', () => {
    /** A client that does not check responses against the OpenAPI document, because plugins choose their responses. */
    let unchecked: Client;
    before(() => {
      unchecked = client(app.url);
    });

    it('responds to a handshake before the signature is checked', async () => {
      const response = await hookSender(unchecked, { ...hook, secret: undefined })({ challenge: 'say this' });
      expect([response.status, response.text]).to.deep.equal([200, 'say this']);
      expect(response.headers.get('content-type')).to.equal('text/plain');
      expect(response.headers.get('x-content-type-options')).to.equal('nosniff');
    });

    it('chooses the response to a stored delivery', async () => {
      const response = await hookSender(
        unchecked,
        hook,
      )({
        reply: { status: 202, body: '{"taken":true}', headers: { 'x-own': '1' } },
      });
      expect([response.status, response.body, response.headers.get('x-own')]).to.deep.equal([202, { taken: true }, '1']);
      expect((await hookSender(unchecked, hook)({ reply: { status: 204, body: '' } })).status).to.equal(204);
    });

    for (const broken of ['handshake', 'events', 'no list', 'deliveryId', 'reply']) {
      it(`loses nothing when it fails: ${broken}`, async () => {
        const said = canary('said in a payload');
        const lines = app.logLines.length;
        const sent = await hooked.forwards(async () =>
          expect((await hooked.deliver({ broken, said })).body).to.deep.equal(SUCCESS),
        );
        expect(sent.map(({ body }) => body.payload)).to.deep.equal([{ serial: hooked.serial, broken, said }]);
        expect(app.logLines.slice(lines).join()).to.include('a plugin failed to process a delivery');
      });
    }
  });

  describe('a body', () => {
    const BODIES: Record<string, { body: string; type: string; payload: unknown }> = {
      'of a form': { body: 'a=1&b=%20', type: 'application/x-www-form-urlencoded', payload: { raw: 'a=1&b=%20' } },
      'of text': { body: 'hello', type: 'text/plain', payload: { raw: 'hello' } },
      'of JSON under another name': { body: '{"n":1}', type: 'text/plain', payload: { n: 1 } },
      'that only says that it is JSON': { body: '{"n":', type: 'application/json', payload: { raw: '{"n":' } },
      'that is empty': { body: '', type: 'application/json', payload: { raw: '' } },
      'of a list': { body: '[1]', type: 'application/json', payload: [1] },
      'that is no UTF-8': { body: '\ud800', type: 'text/plain', payload: { raw: '\ufffd' } },
      'with names of the prototype': {
        body: '{"__proto__":{"a":1}}',
        type: 'application/json',
        payload: JSON.parse('{"__proto__":{"a":1}}'),
      },
    };
    for (const [name, { body, type, payload }] of Object.entries(BODIES)) {
      it(`${name} is forwarded`, async () => {
        const sent = await hooked.forwards(() => hookSender(app.client(), hook)(body, { headers: { 'content-type': type } }));
        expect(sent.map((one) => one.body.payload)).to.deep.equal([payload]);
      });
    }
  });

  it('WHO-06: forwards only allowed headers, and none that could be taken for ours', async () => {
    const hostile = {
      'x-hook-event': 'made',
      'x-other': 'not listed',
      cookie: 'a=b',
      authorization: 'Bearer of the provider',
      'proxy-authorization': 'Basic x',
      'x-forwarded-for': '203.0.113.7',
      'x-real-ip': '203.0.113.7',
      forwarded: 'for=203.0.113.7',
      'webhook-id': 'msg_forged',
      'webhook-signature': 'v1,forged',
      'webhook-timestamp': '1',
      'svc-webhook-verified': 'true',
      'x-svc-hmac-sha256': 'forged',
      'x-acme-hmac-sha256': 'forged',
    };
    const body = JSON.stringify({ hostile: true });
    const sent = await hooked.forwards(() =>
      hookSender(app.client(), open)(body, { headers: { ...hostile, 'x-hook-signature': 'sha256=x' } }),
    );
    expect(sent.map(({ headers }) => headers)).to.deep.equal([
      { 'x-hook-event': 'made', 'x-hook-signature': 'sha256=x', 'svc-webhook-verified': 'false' },
    ]);
  });

  it('never forwards a header with a plain secret, even if the plugin lists it', async () => {
    const sent = await hooked.forwards(() => hooked.deliver({}, { headers: { 'x-hook-token': hook.secret ?? '' } }));
    expect(sent.map(({ headers }) => headers['svc-webhook-verified'])).to.deep.equal(['true']);
    expect(JSON.stringify(sent)).to.not.include(hook.secret ?? '');
  });

  it('forwards nothing if forwarding is off for the integration, and still responds and logs', async () => {
    const silent = await createHook(app.api, hooked.uuid, { key: 'silent', forward: false });
    const sent = await hooked.forwards(async () =>
      expect((await hooked.deliver({ type: 'unforwarded' }, {}, silent)).body).to.deep.equal(SUCCESS),
    );
    expect(sent).to.deep.equal([]);
    await app.services.activity.flush();
    const row = await app.services.db('operation_log').where({ type: 'webhook', provider_config_key: 'silent' }).first();
    expect(row.messages[0].facts).to.include({ forwarded: false });
  });

  it('applies changes at once, and forwards nothing for deleted integrations and connections', async () => {
    const brief = await createHook(app.api, hooked.uuid, { key: 'brief' });
    expect((await hooked.deliver({}, {}, brief)).status).to.equal(200);
    const sent = await hooked.forwards(async () => {
      await app.api.delete('/integrations/brief');
      const deadline = performance.now() + 8_000;
      while ((await hooked.deliver({}, {}, brief)).status !== 404) expect(performance.now()).to.be.below(deadline);
    });
    expect(sent).to.deep.equal([]);
  });

  it('keeps nothing of a delivery in clear, and nothing at all once it is handled', async () => {
    const said = canary('said in a payload');
    await hooked.deliver({ said });
    expect(await app.database.dump()).to.not.include(said);
    await matchAll(app);
    expect(await app.services.db('webhook_deliveries')).to.deep.equal([]);
  });
});
