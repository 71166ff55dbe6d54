import { expect } from 'chai';
import { withTransaction } from '../../core/db/transaction.ts';
import { updateEnvironment } from '../../core/tenants/environments/environment-store.ts';
import { Deliverer } from '../../core/webhook-delivery/deliverer.ts';
import { sendMessages } from '../../core/webhook-delivery/messages.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { freePort } from '../support/free-port.ts';
import { INNER_ADDRESSES, INNER_NETWORK, PUBLIC_ADDRESSES, THIS_MACHINE } from '../support/inner-hosts.ts';
import { startNamedService } from '../support/named-service.ts';
import { rawServer } from '../support/raw-tcp.ts';
import { isLong } from '../support/size.ts';
import { storeConnection, storeIntegration } from '../support/stored.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const ENVIRONMENT = 1;
const WAIT_MS = 300_000;
const REFUSED = 'null address_not_allowed';

const LITERALS = [...THIS_MACHINE, ...INNER_NETWORK].map((host, index) =>
  index % 2 === 0 ? `https://${host}/hook` : `http://${host}:8080/hook`,
);

/** Ways to set an address as the target of a message without the API's checks, because a row may be older than these. */
const SLOTS = {
  'of a connection': { name: async (_app: TestApp, url: string) => url, every: 1 },
  // CI tests only one address in eight here, since attempts run the same code as for the URL of a connection.
  'of the environment': {
    name: async (app: TestApp, url: string) => {
      await updateEnvironment(app.services.db, ENVIRONMENT, { webhook_url: url });
      // The circuit breaker is reset, because it would otherwise open after some failures and stop the attempts.
      await app.database.db('webhook_targets').update({ failures: 0, open_until: null });
      return null;
    },
    every: isLong ? 1 : 8,
  },
} as const;

/** Sends a single message and waits for its first attempt. @returns the status and the error of the attempt */
async function attempted(app: TestApp, webhookUrlOverride: string | null): Promise<string> {
  const { db } = app.database;
  const message = { environmentId: ENVIRONMENT, type: 'test', webhookUrlOverride, body: { type: 'test' } } as const;
  await db('webhook_messages').delete();
  const [id] = await withTransaction(db, (trx) => sendMessages(app.services, trx, [message]));
  const { id: rowId, target_id: targetId } = await db('webhook_messages').where({ message_id: id }).first();
  return again(app, { rowId, targetId });
}

/** Has a message that is due attempted once more. @returns the status and the error of the attempt */
async function again(app: TestApp, { rowId, targetId }: { rowId: number; targetId: number }): Promise<string> {
  const { db } = app.database;
  const attempts = () => db('webhook_attempts').where({ message_id: rowId }).orderBy('id', 'desc');
  const before = (await attempts()).length;
  await using deliverer = new Deliverer(app.services);
  await deliverer.serve(targetId);
  await until('an attempt', async () => (await attempts()).length > before);
  const { status, error } = await attempts().first();
  return `${status} ${error}`;
}

describe('SSRF-01: inner addresses as targets of webhooks', function () {
  this.timeout(120_000);
  const service = use(this, startNamedService);
  beforeEach(() => service.net.dials.splice(0));

  for (const [slot, { name, every }] of Object.entries(SLOTS)) {
    /** Returns the URLs that were not refused with the right error, each with its outcome. */
    const slipped = async (urls: readonly string[]): Promise<string[]> => {
      const others: string[] = [];
      for (const url of urls) {
        const outcome = await attempted(service.app, await name(service.app, url));
        if (outcome !== REFUSED) others.push(`${url}: ${outcome}`);
      }
      return others;
    };

    it(`${slot} are not dialled`, async () => {
      expect(await slipped(LITERALS.filter((_, index) => index % every === 0))).to.deep.equal([]);
      expect(service.net.dials).to.deep.equal([]);
    });

    it(`${slot} are not dialled when a name resolves to one, alone or among public ones`, async () => {
      const urls = INNER_ADDRESSES.map((address, index) => {
        const among = [[address], [address, ...PUBLIC_ADDRESSES], [...PUBLIC_ADDRESSES, address]][index % 3] ?? [];
        service.net.names.script(`inner${index}.test`, among);
        return `https://inner${index}.test/hook`;
      });
      expect(await slipped(urls)).to.deep.equal([]);
      expect(service.net.dials).to.deep.equal([]);
      expect(service.net.names.queries).to.include(`inner${INNER_ADDRESSES.length - 1}.test`);
    });

    it(`${slot} are distinguished from public ones, which are dialled`, async () => {
      await slipped([`https://${PUBLIC_ADDRESSES[0]}/hook`]);
      expect(service.net.strangers()).to.deep.equal([PUBLIC_ADDRESSES[0]]);
    });

    it(`${slot} are resolved at each attempt, so that a name that becomes inner is not dialled again`, async () => {
      const { app, net } = service;
      const host = `turning-${slot.length}.test`;
      net.names.script(host, [PUBLIC_ADDRESSES[0]], ['169.254.169.254'], ['127.0.0.1', PUBLIC_ADDRESSES[0]]);
      expect(await attempted(app, await name(app, `https://${host}/hook`))).to.equal('null unreachable');
      expect(net.strangers()).to.deep.equal([host]);
      const { id: rowId, target_id: targetId } = await app.database.db('webhook_messages').first();
      for (let tries = 0; tries < 2; tries += 1) {
        await app.clock.advance(WAIT_MS * 2, app.database.db);
        expect(await again(app, { rowId, targetId })).to.equal(REFUSED);
      }
      expect(net.strangers()).to.deep.equal([host]);
    });
  }

  it('are refused wherever an application may set one', async () => {
    const { api } = service.app;
    const key = await storeIntegration(api, 'named');
    const { connectionId } = await storeConnection(service.app, { key });
    const webhook_url_override = 'http://169.254.169.254/latest';
    const responses = [
      await api.post('/connect/sessions', { webhook_url_override }),
      await api.post('/connect/sessions/reconnect', { connection_id: connectionId, integration_id: key, webhook_url_override }),
      await api.patch(`/connections/${connectionId}?provider_config_key=${key}`, { webhook_url_override }),
      await api.post('/connections', { provider_config_key: key, credentials: { type: 'NONE' }, webhook_url_override }),
    ];
    for (const { status, body } of responses) {
      expect([status, body.error.code]).to.deep.equal([400, 'invalid_body']);
      expect(JSON.stringify(body.error.errors)).to.contain('address_not_allowed');
    }
  });
});

describe('SSRF-01: a port of this machine as the target of a webhook', () => {
  it('is reported alike whether it is open or closed, and gets no connection', async () => {
    await using sentinel = await rawServer('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi');
    await using app = await startApp({ env: { SVC_OUTBOUND_ALLOW: '' } });
    const reported: string[] = [];
    for (const port of [sentinel.port, await freePort()]) reported.push(await attempted(app, `http://127.0.0.1:${port}/hook`));
    expect(reported).to.deep.equal([REFUSED, REFUSED]);
    expect(sentinel.connections).to.equal(0);
    await fetch(`http://127.0.0.1:${sentinel.port}`);
    expect(sentinel.connections).to.equal(1);
  });
});
