import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import type { IncomingWebhook, Json, JsonObject } from '#contract';
import { contextOf, refusalOf } from './hook-context.test.ts';
import plugin from './plugin.ts';

const WEBHOOK = { method: 'POST', url: '', headers: {}, query: {}, rawBody: new Uint8Array(), payload: null };
const SECRETS = { clientId: 'id', clientSecret: 'client', webhookSecret: 'secret', config: {} };
const LINKED = [
  'issue',
  'comment',
  'sprint',
  'board',
  'worklog',
  'version',
  'issueLink',
  'project',
  'attachment',
  'issuetype',
  'filter',
  'user',
];
const EVENTS = [
  'tracker:issue_created',
  'tracker:issue_updated',
  'tracker:issue_deleted',
  'comment_created',
  'sprint_started',
  'tracker:version_released',
  'project_created',
  'board_updated',
  'worklog_created',
  'attachment_created',
];

function eventOf(payload: Json) {
  const [event, ...others] = plugin.webhook.events({ ...WEBHOOK, payload });
  expect(others).to.deep.equal([]);
  return event;
}

const linkOf = (name: string) => ({ self: `https://${name}.tracker.example:8443/rest/api/2/thing/7` });
const siteKey = (value: string) => [{ by: 'connectionConfig', field: 'baseUrl', value, as: 'origin' }];

describe('plugin issue-tracker: deliveries', () => {
  for (const [index, member] of LINKED.entries()) {
    it(`takes the site from ${member} rather than from a member further down the list`, () => {
      const later = Object.fromEntries(
        LINKED.slice(index)
          .toReversed()
          .map((name) => [name, linkOf(name)]),
      );
      expect(eventOf(later)?.connections).to.deep.equal(siteKey(`https://${member.toLowerCase()}.tracker.example:8443`));
    });
  }

  for (const type of EVENTS) {
    it(`reads the event type ${type}`, () => {
      const payload = { webhookEvent: type, issue: linkOf('acme') };
      const connections = siteKey('https://acme.tracker.example:8443');
      expect(eventOf(payload)).to.deep.equal({ type, connections });
    });
  }

  for (const payload of [
    null,
    [1],
    'x',
    7,
    {},
    { issue: null },
    { issue: { self: 'not a url' } },
    { issue: { self: 'file:///etc/passwd' } },
    { issue: { self: ['https://acme.tracker.example'] } },
    { project_created: linkOf('acme') },
    JSON.parse('{"__proto__": {"issue": {"self": "https://acme.tracker.example"}}}'),
  ] as Json[]) {
    it(`names no connection for ${JSON.stringify(payload)}`, () => {
      expect(eventOf(payload)?.connections).to.deep.equal([]);
    });
  }

  it('skips a link that is no URL', () => {
    expect(eventOf({ issue: { self: '' }, user: linkOf('acme') })?.connections).to.deep.equal(
      siteKey('https://acme.tracker.example:8443'),
    );
  });

  const signed = createHmac('sha256', SECRETS.webhookSecret).update('{}').digest('hex');
  for (const [what, headers, secrets, scheme] of [
    ['a JWT, with a webhook secret', { authorization: 'Bearer a.b.c' }, SECRETS, 'jwt'],
    ['a JWT under its other name, with a webhook secret', { authorization: 'JWT a.b.c' }, SECRETS, 'jwt'],
    ['a JWT, without a webhook secret', { authorization: 'Bearer a.b.c' }, { ...SECRETS, webhookSecret: undefined }, 'hmac'],
    ['a digest', { 'x-hub-signature': `sha256=${signed}` }, SECRETS, 'hmac'],
    ['a digest and a JWT', { 'x-hub-signature': `sha256=${signed}`, authorization: 'Bearer a.b.c' }, SECRETS, 'hmac'],
    ['neither', {}, SECRETS, 'hmac'],
    ['another kind of authorization', { authorization: 'Basic YTpi' }, SECRETS, 'hmac'],
  ] as const) {
    it(`verifies a delivery with ${what} by the ${scheme} rule`, () => {
      const webhook: IncomingWebhook = { ...WEBHOOK, headers };
      const rule = plugin.webhook.signature.find((one) => !('when' in one) || one.when(webhook, secrets));
      expect(rule?.scheme).to.equal(scheme);
      if (rule?.scheme === 'jwt') expect(rule.read(webhook)).to.equal('a.b.c');
    });
  }
});

describe('plugin issue-tracker: the site', () => {
  const SITES = [
    { id: '1', url: 'https://acme.tracker.example/start' },
    { id: '2', url: 'https://beta.tracker.example' },
  ];
  const discover = (sites: unknown, connection: JsonObject = {}) => {
    const { ctx, calls } = contextOf([Response.json(sites)], { connection });
    return { found: plugin.connection.afterAuthorization(ctx), calls };
  };

  it('is requested with the access token, and stored as an origin', async () => {
    const { found, calls } = discover(SITES);
    expect(await found).to.deep.equal({ baseUrl: 'https://acme.tracker.example', cloudId: '1' });
    expect(calls).to.deep.equal([
      { method: 'GET', url: 'https://api.tracker.example/sites', body: undefined, authorization: 'Bearer token' },
    ]);
  });

  for (const [how, connection] of Object.entries({
    'the connection names its URL': { site: 'https://beta.tracker.example/browse' },
    'the connection names its ID': { site: '2' },
    'the connection already has its ID': { cloudId: '2', baseUrl: 'https://renamed.tracker.example' },
    'the connection already has its URL': { baseUrl: 'https://BETA.tracker.example/' },
  })) {
    it(`is the second of two when ${how}`, async () => {
      expect(await discover(SITES, connection).found).to.deep.equal({ baseUrl: 'https://beta.tracker.example', cloudId: '2' });
    });
  }

  it('is chosen anew when the site of the connection is gone', async () => {
    const { found } = discover(SITES, { baseUrl: 'https://gone.tracker.example', cloudId: '9' });
    expect(await found).to.deep.equal({ baseUrl: 'https://acme.tracker.example', cloudId: '1' });
  });

  it('may have no ID', async () => {
    expect(await discover([{ url: 'https://acme.tracker.example' }]).found).to.deep.equal({
      baseUrl: 'https://acme.tracker.example',
    });
  });

  for (const [fault, sites, connection, code] of [
    ['there is none', [], {}, 'invalid_connection_config'],
    ['none has a URL', [{ id: '1' }, { url: 'javascript:1' }, null], {}, 'invalid_connection_config'],
    ['the named one is not among them', SITES, { site: 'https://other.tracker.example' }, 'invalid_connection_config'],
    ['the response is no list', { sites: SITES }, {}, 'provider_unavailable'],
  ] as const) {
    it(`refuses the authorization when ${fault}`, async () => {
      expect(await refusalOf(discover(sites, connection).found)).to.include({ code });
    });
  }

  for (const [status, code] of [
    [401, 'invalid_credentials'],
    [403, 'invalid_credentials'],
    [500, 'provider_unavailable'],
    [200, 'provider_unavailable'],
  ] as const) {
    it(`refuses the authorization when the provider responds with ${status} and no JSON`, async () => {
      const { ctx } = contextOf([new Response('what the provider wrote', { status })]);
      const refusal = await refusalOf(plugin.connection.afterAuthorization(ctx));
      expect(refusal.code).to.equal(code);
      expect(refusal.message).not.to.contain('what the provider wrote');
    });
  }
});
