import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { SCRIPT_EVENTS } from '../../core/scripts/event.ts';
import { insertRun } from '../../core/scripts/run-store.ts';
import { activeScript, hasActiveScript } from '../../core/scripts/script-store.ts';
import { canary } from '../support/canaries.ts';
import type { Client, ClientResponse } from '../support/http-client.ts';
import { expectError } from '../support/std-error.ts';
import { clientWith, storeIntegration } from '../support/stored.ts';
import { finishedRun, storeScript } from '../support/stored-script.ts';
import { startTenant } from '../support/tenant.ts';
import { use } from '../support/use.ts';

const EVENT = 'post-connection-creation';
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const sourceOf = (n: number | string) => `export default async (svc: unknown) => ${JSON.stringify(n)};`;
const pathOf = (key: string, event: string = EVENT) => `/integrations/${key}/scripts/${event}`;

describe('scripts of an integration', function () {
  const app = use(this, startTenant);
  let key: string;

  beforeEach(async () => {
    key = await storeIntegration(app.api, `i-${randomUUID()}`);
  });

  const deploy = (source: string, { event = EVENT, language = 'typescript', api = app.api as Client } = {}) =>
    api.put(pathOf(key, event), { source, language });
  const data = ({ status, body, text }: ClientResponse) => {
    expect(status, text).to.equal(200);
    return body.data;
  };
  const placeOf = async (event: (typeof SCRIPT_EVENTS)[number] = EVENT) => {
    const { id } = await app.database
      .db('integrations')
      .where({ environment_id: app.environmentId, unique_key: key })
      .first('id');
    return { environmentId: app.environmentId, integrationId: id, event };
  };
  const active = async () => activeScript(app.services, await placeOf());

  describe('deployed', () => {
    it('are versions, the first one enabled', async () => {
      const made = data(await deploy(sourceOf(1)));
      expect(made).to.have.all.keys('event', 'version', 'enabled', 'created_at');
      expect(made).to.include({ event: EVENT, version: 1, enabled: true });
      expect(made.created_at).to.match(ISO);
      expect(data(await deploy(sourceOf(2)))).to.include({ version: 2, enabled: true });
      expect((await active())?.code)
        .to.contain(') => 2;')
        .and.not.contain('unknown');
    });

    it('in JavaScript are run as they are', async () => {
      const source = 'export default async () => "as it is";';
      data(await deploy(source, { language: 'javascript' }));
      expect((await active())?.code).to.equal(source);
    });

    it('unchanged create no version; changed back they do', async () => {
      data(await deploy(sourceOf(1)));
      const again = data(await deploy(sourceOf(1)));
      expect(again.version).to.equal(1);
      const versions = [sourceOf(2), sourceOf(2), sourceOf(1)].map(async (source) => source);
      const seen: number[] = [];
      for await (const source of versions) seen.push(data(await deploy(source)).version);
      expect(seen).to.deep.equal([2, 2, 3]);
      expect(await app.database.db('script_versions').where({ script_id: (await active())?.scriptId })).to.have.length(3);
    });

    it('with the same text in another language are another version', async () => {
      const source = 'export default async () => 1;';
      data(await deploy(source, { language: 'javascript' }));
      expect(data(await deploy(source, { language: 'typescript' })).version).to.equal(2);
    });

    it('unchanged after a roll-back become active again', async () => {
      for (const n of [1, 2]) data(await deploy(sourceOf(n)));
      data(await app.api.patch(pathOf(key), { version: 1 }));
      expect(data(await deploy(sourceOf(2))).version).to.equal(2);
    });

    it('stay disabled when they were', async () => {
      data(await deploy(sourceOf(1)));
      data(await app.api.patch(pathOf(key), { enabled: false }));
      expect(data(await deploy(sourceOf(2)))).to.include({ version: 2, enabled: false });
    });

    it('by several requests at once become successive versions', async () => {
      const responses = await Promise.all([1, 2, 3, 4].map((n) => deploy(sourceOf(n))));
      expect(responses.map((response) => data(response).version).toSorted()).to.deep.equal([1, 2, 3, 4]);
      expect(await app.database.db('scripts').where(columnsOf(await placeOf()))).to.have.length(1);
    });

    it('keep their latest hundred versions, whichever was active before', async () => {
      for (let n = 1; n <= 101; n += 1) await storeScript(app, { key, source: `export default () => ${n};` });
      data(await app.api.patch(pathOf(key), { version: 1 }));
      await app.database
        .db('scripts')
        .where(columnsOf(await placeOf()))
        .update({ enabled: false });
      data(await deploy(sourceOf('the latest')));
      const rows = await app.database
        .db('script_versions')
        .where({ script_id: await scriptId() })
        .orderBy('version');
      expect(rows.map(({ version }) => version)).to.deep.equal(Array.from({ length: 100 }, (_, index) => index + 3));
      expectError(await app.api.patch(pathOf(key), { version: 1 }), 'invalid_body', ['version']);
    });

    it('for webhooks name the types for which they are run', async () => {
      const source = "export const webhookSubscriptions = ['a', '*'];\nexport const onWebhook = async () => {};";
      expect(data(await deploy(source, { event: 'on-webhook' })).version).to.equal(1);
      const script = await activeScript(app.services, await placeOf('on-webhook'));
      expect(script?.webhookSubscriptions).to.deep.equal(['a', '*']);
    });

    const scriptId = async () =>
      (
        await app.database
          .db('scripts')
          .where(columnsOf(await placeOf()))
          .first('id')
      ).id as number;
  });

  describe('listed', () => {
    it('are one for each event, without sources', async () => {
      for (const event of SCRIPT_EVENTS) await storeScript(app, { key, event });
      const listed = data(await app.api.get(`/integrations/${key}/scripts`));
      expect(listed.map(({ event }: { event: string }) => event)).to.deep.equal(SCRIPT_EVENTS.toSorted());
      for (const script of listed) expect(script).to.have.all.keys('event', 'version', 'enabled', 'created_at');
    });

    it('are an empty list if there is none, and 404 if there is no integration', async () => {
      expect(data(await app.api.get(`/integrations/${key}/scripts`))).to.deep.equal([]);
      expectError(await app.api.get('/integrations/none/scripts'), 'unknown_provider_config');
    });
  });

  describe('changed', () => {
    beforeEach(async () => {
      for (const n of [1, 2, 3]) await storeScript(app, { key, source: `export default () => ${n};` });
    });

    it('are rolled back and forward', async () => {
      for (const version of [1, 3, 2]) {
        expect(data(await app.api.patch(pathOf(key), { version }))).to.include({ version, enabled: true });
        expect((await active())?.code).to.contain(`=> ${version};`);
      }
    });

    it('are not run while they are disabled', async () => {
      expect(data(await app.api.patch(pathOf(key), { enabled: false }))).to.include({ version: 3, enabled: false });
      const { integrationId } = await placeOf();
      expect(await active()).to.equal(undefined);
      expect(await hasActiveScript(app.database.db, integrationId, EVENT)).to.equal(false);
      data(await app.api.patch(pathOf(key), { enabled: true, version: 1 }));
      expect((await active())?.version).to.equal(1);
      expect(await hasActiveScript(app.database.db, integrationId, EVENT)).to.equal(true);
      expect(await hasActiveScript(app.database.db, integrationId, 'on-webhook')).to.equal(false);
    });

    it('with an empty body stay as they are', async () =>
      expect(data(await app.api.patch(pathOf(key), {}))).to.include({ version: 3, enabled: true }));

    it('to a version that does not exist are not changed at all', async () => {
      expectError(await app.api.patch(pathOf(key), { version: 4, enabled: false }), 'invalid_body', ['version']);
      expect(data(await app.api.patch(pathOf(key), {}))).to.include({ version: 3, enabled: true });
    });

    for (const body of [
      { version: 0 },
      { version: 1.5 },
      { version: '1' },
      { version: 2 ** 31 },
      { enabled: 'no' },
      { source: 'x' },
    ])
      it(`are refused with ${JSON.stringify(body)}`, async () =>
        expectError(await app.api.patch(pathOf(key), body), 'invalid_body'));

    it('are 404 if they do not exist', async () => {
      expectError(await app.api.patch(pathOf(key, 'on-webhook'), {}), 'not_found');
      expectError(await app.api.patch(pathOf('none'), {}), 'unknown_provider_config');
    });
  });

  describe('deleted', () => {
    it('are deleted with versions and runs; the next deploy is version 1', async () => {
      const { scriptId } = await storeScript(app, { key });
      await insertRun(app.database.db, finishedRun({ scriptId }));
      expect((await app.api.delete(pathOf(key))).status).to.equal(204);
      expect(await rowsOf(scriptId)).to.deep.equal([0, 0, 0]);
      expectError(await app.api.delete(pathOf(key)), 'not_found');
      expectError(await app.api.get(`${pathOf(key)}/runs`), 'not_found');
      expect(data(await deploy(sourceOf(1))).version).to.equal(1);
    });

    it('are deleted with their integration when it is erased, and not before', async () => {
      const { scriptId } = await storeScript(app, { key });
      const place = await placeOf();
      expect((await app.api.delete(`/integrations/${key}`)).status).to.equal(200);
      expect((await activeScript(app.services, place))?.scriptId).to.equal(scriptId);
      await app.database.db('integrations').where({ id: place.integrationId }).delete();
      expect(await rowsOf(scriptId)).to.deep.equal([0, 0, 0]);
    });
  });

  it('follow a new key of their integration', async () => {
    const { version } = data(await deploy(sourceOf(1)));
    const renamed = `r-${randomUUID()}`;
    data(await app.api.patch(`/integrations/${key}`, { unique_key: renamed }));
    expect(data(await app.api.get(`/integrations/${renamed}/scripts`))).to.have.length(1);
    expectError(await app.api.get(`/integrations/${key}/scripts`), 'unknown_provider_config');
    key = renamed;
    expect(data(await deploy(sourceOf(1))).version).to.equal(version);
  });

  it('CRY-01: are stored encrypted, each version bound to its row', async () => {
    const secret = canary('secret in a script');
    data(await deploy(`export default async (svc: unknown) => ${JSON.stringify(secret)};`));
    data(await deploy(sourceOf(2)));
    const { db } = app.database;
    const rows = await db('script_versions')
      .where({ script_id: (await active())?.scriptId })
      .orderBy('version');
    for (const { source, compiled } of rows) {
      for (const column of [source, compiled]) expect(column.toString('latin1')).not.to.contain('export');
    }
    // The sweep at the end searches for the secret everywhere; this asserts only that the ciphertext of one row does not decrypt
    // in another.
    const [first, second] = rows;
    await db('script_versions').where({ id: second.id }).update({ compiled: first.compiled });
    await active().then(
      () => expect.fail('an envelope of another row was opened'),
      (error: unknown) => expect(error).to.have.property('code', 'unreadable_value'),
    );
  });

  describe('need the right scope', () => {
    const calls: Readonly<Record<string, (api: Client) => Promise<ClientResponse>>> = {
      list: (api) => api.get(`/integrations/${key}/scripts`),
      read: (api) => api.get(`${pathOf(key)}/runs`),
      write: (api) => api.patch(pathOf(key), { enabled: true }),
    };
    for (const granted of Object.keys(calls)) {
      it(`environment:scripts:${granted} allows its requests and no others`, async () => {
        await storeScript(app, { key });
        const api = await clientWith(app, `environment:scripts:${granted}`);
        for (const [needed, call] of Object.entries(calls)) {
          const response = await call(api);
          if (needed === granted) expect(response.status, response.text).to.equal(200);
          else expectError(response, 'forbidden');
        }
      });
    }
  });

  const columnsOf = ({ environmentId, integrationId, event }: Awaited<ReturnType<typeof placeOf>>) => ({
    environment_id: environmentId,
    integration_id: integrationId,
    event,
  });

  async function rowsOf(scriptId: number): Promise<number[]> {
    const { db } = app.database;
    const counts = [
      await db('scripts').where({ id: scriptId }).count(),
      await db('script_versions').where({ script_id: scriptId }).count(),
      await db('script_runs').where({ script_id: scriptId }).count(),
    ];
    return counts.map(([row]) => Number(row?.['count']));
  }
});
