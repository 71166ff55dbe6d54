import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { SignJWT, UnsecuredJWT } from 'jose';
import { registeredAddress, webhookTagKey } from '../../core/connections/integrations/webhook-address.ts';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { type Connected, connectAgain } from '../support/connect.ts';
import { createTracker, FakeTracker } from '../support/fake-tracker.ts';
import { firstEnvironmentUuid, matchAll } from '../support/hooked.ts';
import { type ClientResponse, client } from '../support/http-client.ts';
import { enableWebhooks } from '../support/stored-webhooks.ts';
import { use } from '../support/use.ts';

const SITE = 'https://acme.tracker.example';
const OTHER = 'https://beta.tracker.example';

describe('deliveries of the issue tracker', function () {
  const tracker = use(this, () => FakeTracker.start());
  const app = use(this, startApp);
  const secret = canary('webhook secret');
  let uuid: string;
  let acme: Connected;
  let beta: Connected;
  let number = 0;

  before(async () => {
    uuid = await firstEnvironmentUuid(app);
    await enableWebhooks(app.services.db);
    await createTracker(app, tracker, { webhookSecret: secret });
    await createTracker(app, tracker, { key: 'open' });
    acme = await connectAgain(app, 'tracker');
    tracker.sites = [{ id: 'site-2', url: OTHER }];
    beta = await connectAgain(app, 'tracker');
    tracker.sites = [{ id: 'site-1', url: SITE }];
  });

  function bodyFor(site: string, member = 'issue'): string {
    number += 1;
    return JSON.stringify({ webhookEvent: 'tracker:issue_created', number, [member]: { self: `${site}/rest/api/2/thing/1` } });
  }

  const send = (body: string, headers: Record<string, string>, key = 'tracker'): Promise<ClientResponse> =>
    client(app.url).call('POST', `/webhook/${uuid}/${key}`, {
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });

  const digest = (body: string, key = secret) => ({
    'x-hub-signature': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
  });

  const bearer = async (key = tracker.clientSecret, alg = 'HS256') => {
    const jwt = new SignJWT({ sub: 'app' })
      .setProtectedHeader({ alg })
      .setIssuer('tracker')
      .setIssuedAt()
      .setExpirationTime('3m');
    return { authorization: `Bearer ${await jwt.sign(Buffer.from(key))}` };
  };

  async function newest() {
    const { connectionId, headers, body } = (await matchAll(app)).at(-1) ?? expect.fail('nothing was forwarded');
    return { connectionId, verified: headers['svc-webhook-verified'], from: body.from };
  }

  it('of an admin webhook are verified by their digest, and find the connection of their site', async () => {
    for (const [site, { connectionId }] of [[SITE, acme] as const, [OTHER, beta] as const]) {
      const body = bodyFor(site);
      expect((await send(body, digest(body))).status).to.equal(200);
      expect(await newest()).to.deep.equal({ connectionId, verified: 'true', from: 'issue-tracker' });
    }
  });

  it('to the registered address of one connection are for no other of the same site', async () => {
    const beside = await connectAgain(app, 'tracker');
    const key = await webhookTagKey(app.services, 1);
    const address = { baseUrl: app.url, environmentUuid: uuid, integrationKey: 'tracker', connectionId: beside.connectionId };
    const { pathname, search } = new URL(registeredAddress(key ?? '', address));
    const body = bodyFor(SITE);
    const headers = { 'content-type': 'application/json', ...digest(body) };
    const before = (await matchAll(app)).length;
    expect((await client(app.url).call('POST', pathname + search, { headers, body })).status).to.equal(200);
    const forwarded = (await matchAll(app)).slice(before);
    expect(forwarded.map(({ connectionId }) => connectionId)).to.deep.equal([beside.connectionId]);

    // A delivery that was not sent to the address registered for one connection can be matched only by its site, so it reaches
    // both connections.
    const plain = bodyFor(SITE);
    expect((await send(plain, digest(plain))).status).to.equal(200);
    const both = (await matchAll(app)).slice(before + 1).map(({ connectionId }) => connectionId);
    expect(both).to.have.members([acme.connectionId, beside.connectionId]);
    await app.api.delete(`/connections/${beside.connectionId}?provider_config_key=tracker`);
  });

  it('of a dynamic webhook are verified by their JWT', async () => {
    expect((await send(bodyFor(SITE), await bearer())).status).to.equal(200);
    expect(await newest()).to.deep.equal({ connectionId: acme.connectionId, verified: 'true', from: 'issue-tracker' });
  });

  it('are refused when neither the digest nor the JWT is valid', async () => {
    const count = (await matchAll(app)).length;
    const body = bodyFor(SITE);
    const forged: Readonly<Record<string, Record<string, string>>> = {
      nothing: {},
      'a digest with another secret': digest(body, canary('somebody else')),
      'a digest of another body': digest(bodyFor(SITE)),
      'a digest without its prefix': { 'x-hub-signature': digest(body)['x-hub-signature'].slice(7) },
      'an empty digest beside a good JWT': { 'x-hub-signature': '', ...(await bearer()) },
      'a wrong digest beside a good JWT': { ...digest(body, canary('a third')), ...(await bearer()) },
      'a JWT with another secret': await bearer(canary('yet another')),
      'a JWT with the webhook secret': await bearer(secret),
      'a JWT of another algorithm': await bearer(tracker.clientSecret, 'HS512'),
      'a JWT without an algorithm': { authorization: `Bearer ${new UnsecuredJWT({ sub: 'app' }).encode()}` },
      'no JWT': { authorization: 'Bearer token' },
    };
    for (const [fault, headers] of Object.entries(forged)) {
      const { status, body: response } = await send(body, headers);
      expect([status, response.error?.code.startsWith('webhook_')], fault).to.deep.equal([401, true]);
    }
    expect(await matchAll(app)).to.have.length(count);
  });

  it('are accepted and flagged where the integration has no secret', async () => {
    await connectAgain(app, 'open');
    for (const headers of [{}, await bearer(), { 'x-hub-signature': 'sha256=00' }]) {
      expect((await send(bodyFor(SITE), headers, 'open')).status).to.equal(200);
      expect((await newest()).verified).to.equal('false');
    }
  });

  it('find no connection by a site that only resembles its own', async () => {
    const sites = [
      'https://acme.tracker.example.org',
      'http://acme.tracker.example',
      'https://acme.tracker.example:8443',
      `${SITE}@x.example`,
    ];
    for (const site of sites) {
      const body = bodyFor(site);
      expect((await send(body, digest(body))).status).to.equal(200);
      expect((await newest()).connectionId, site).to.equal(null);
    }
    const shouted = bodyFor('HTTPS://ACME.Tracker.Example:443');
    await send(shouted, digest(shouted));
    expect((await newest()).connectionId).to.equal(acme.connectionId);
  });

  it('find no connection of another integration', async () => {
    await createTracker(app, tracker, { key: 'empty' });
    expect((await send(bodyFor(SITE), {}, 'empty')).status).to.equal(200);
    expect((await newest()).connectionId).to.equal(null);
  });
});
