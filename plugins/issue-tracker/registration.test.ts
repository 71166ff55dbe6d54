import { expect } from 'chai';
import { contextOf, DYNAMIC_EVENTS, refusalOf } from './hook-context.test.ts';
import plugin from './plugin.ts';

const TARGET = { url: 'https://svc.example/webhook/e/tracker?svcConnectionId=c', secret: undefined };

const registered = (...ids: (number | undefined)[]) =>
  Response.json({
    webhookRegistrationResult: ids.map((createdWebhookId) => (createdWebhookId ? { createdWebhookId } : { errors: ['no'] })),
  });

describe('plugin issue-tracker: registration', () => {
  const { subscribe, renew, unsubscribe } = plugin.subscriptions;
  const ADDRESS = 'https://api.tracker.example/rest/api/3/webhook';
  const subscription = { webhookIds: [1001, 1002], expiresAt: new Date(Date.now() + 3_600_000).toISOString() };

  it('sends the filter with events of issues and issue properties only', async () => {
    const webhook_events = 'tracker:issue_updated, issue_property_set,sprint_started,issuelink_created, tracker:issue_updated,';
    const { ctx, calls } = contextOf([registered(1, 2)], { config: { webhook_events, webhook_filter: 'project = ACME' } });
    const kept = await subscribe(ctx, TARGET);
    expect(kept['webhookIds']).to.deep.equal([1, 2]);
    expect(Date.parse(String(kept['expiresAt'])) - Date.now()).to.be.closeTo(30 * 24 * 3_600_000, 60_000);
    expect(calls).to.deep.equal([
      {
        method: 'POST',
        url: ADDRESS,
        authorization: 'Bearer token',
        body: {
          url: TARGET.url,
          webhooks: [
            { events: ['tracker:issue_updated', 'issue_property_set'], jqlFilter: 'project = ACME' },
            { events: ['sprint_started', 'issuelink_created'] },
          ],
        },
      },
    ]);
  });

  it('sends one entry without a filter, and none at all without events', async () => {
    const { ctx, calls } = contextOf([registered(1)]);
    await subscribe(ctx, TARGET);
    expect(calls[0]?.body).to.deep.equal({ url: TARGET.url, webhooks: [{ events: DYNAMIC_EVENTS }] });
    for (const webhook_events of ['', ' , ']) {
      expect(await subscribe(contextOf([], { config: { webhook_events } }).ctx, TARGET)).to.deep.equal({});
    }
  });

  it('uses the API of the site, and one filter for all events, if the integration says so', async () => {
    const config = {
      api_base_url: 'https://api.example/ex/{cloudId}',
      webhook_filter: 'project = ACME',
      webhook_filter_for: 'all',
    };
    const { ctx, calls } = contextOf([registered(1)], { config, connection: { cloudId: 'a/b' } });
    await subscribe(ctx, TARGET);
    expect(calls[0]?.url).to.equal('https://api.example/ex/a%2Fb/rest/api/3/webhook');
    expect(calls[0]?.body).to.deep.include({ webhooks: [{ events: DYNAMIC_EVENTS, jqlFilter: 'project = ACME' }] });
  });

  it('stores the IDs of the webhooks that were registered, and fails when none was', async () => {
    expect((await subscribe(contextOf([registered(undefined, 7)]).ctx, TARGET))['webhookIds']).to.deep.equal([7]);
    for (const response of [registered(undefined), Response.json([]), new Response('ok')])
      expect(await refusalOf(subscribe(contextOf([response]).ctx, TARGET))).to.include({ code: 'invalid_connection_config' });
  });

  it('names the missing scopes and says that the user must authorize again', async () => {
    const body = { code: 401, message: 'Unauthorized; scope does not match' };
    const refusal = await refusalOf(subscribe(contextOf([Response.json(body, { status: 401 })]).ctx, TARGET));
    expect(refusal.code).to.equal('invalid_credentials');
    expect(refusal.message).to.contain('read:tracker-work and manage:tracker-webhook').and.to.contain('authorize again');
    const config = { webhook_scopes: 'read:jira-work,manage:jira-webhook' };
    const other = await refusalOf(subscribe(contextOf([Response.json(body, { status: 401 })], { config }).ctx, TARGET));
    expect(other.message).to.contain('read:jira-work and manage:jira-webhook');
  });

  for (const [status, code] of [
    [400, 'invalid_connection_config'],
    [404, 'invalid_connection_config'],
    [429, 'provider_unavailable'],
    [503, 'provider_unavailable'],
  ] as const) {
    it(`fails with ${code} when the provider responds with ${status}, and does not repeat the response`, async () => {
      const refusal = await refusalOf(subscribe(contextOf([new Response('its words', { status })]).ctx, TARGET));
      expect(refusal.code).to.equal(code);
      expect(refusal.message).not.to.contain('its words');
    });
  }

  it('is renewed by its IDs, every 20 days', async () => {
    const { ctx, calls } = contextOf([Response.json({})], { subscription });
    const kept = await renew.run(ctx);
    expect(renew.everyDays).to.equal(20);
    expect(calls).to.deep.equal([
      { method: 'PUT', url: `${ADDRESS}/refresh`, body: { webhookIds: [1001, 1002] }, authorization: 'Bearer token' },
    ]);
    expect(kept['webhookIds']).to.deep.equal([1001, 1002]);
    expect(String(kept['expiresAt']) > subscription.expiresAt).to.equal(true);
  });

  it('counts as lost when the provider does not have it, or when it has expired', async () => {
    expect(await renew.run(contextOf([new Response(null, { status: 404 })], { subscription }).ctx)).to.deep.equal({});
    const over = { ...subscription, expiresAt: new Date(Date.now() - 1).toISOString() };
    expect(await renew.run(contextOf([], { subscription: over }).ctx)).to.deep.equal({});
  });

  it('is removed by its IDs, even if the provider does not have it', async () => {
    const { ctx, calls } = contextOf([new Response(null, { status: 202 }), new Response(null, { status: 404 })], {
      subscription,
    });
    await unsubscribe(ctx);
    await unsubscribe(ctx);
    const removal = { method: 'DELETE', url: ADDRESS, body: { webhookIds: [1001, 1002] }, authorization: 'Bearer token' };
    expect(calls).to.deep.equal([removal, removal]);
    const failing = contextOf([new Response(null, { status: 500 })], { subscription });
    expect(await refusalOf(unsubscribe(failing.ctx))).to.include({ code: 'provider_unavailable' });
  });
});
