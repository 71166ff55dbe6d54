import { readdirSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { addMissingSearchWords } from '../../core/connections/search-word-store.ts';
import manifest from '../../package.json' with { type: 'json' };
import { startApp, type TestApp } from '../support/app.ts';
import type { TestDatabase } from '../support/database.ts';
import { copyOfMigrations, migrateAtOnce } from '../support/migrations.ts';
import { type Content, check, fill, SCRIPT_PATH } from '../support/stored-installation/content.ts';
import { type Rows, readRows, restoreRows } from '../support/stored-installation/rows.ts';
import { openWorld, type World } from '../support/stored-installation/world.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const FOLDER = fileURLToPath(new URL('../fixtures/installations/', import.meta.url));
/** A migration of the next release. Like every migration of a release, it only expands the schema. */
const NEXT = { '9999_next': 'alter table connections add column next text; create table next ()' };
const FLEET = 4;

interface StoredInstallation {
  readonly content: Content;
  readonly rows: Rows;
}

// Stores an installation of this version for later tests of upgrades. Run once for each release, at its commit:
// `STORE_INSTALLATION=1 npm test -- test/faults/upgrade.test.ts`.
if (process.env['STORE_INSTALLATION'] === '1')
  describe('an installation of this version', () => {
    it('is stored', async () => {
      await using world = await openWorld(new Set());
      await using app = await startApp({ net: world.net });
      const content = await fill(app);
      await app.services.activity.flush();
      const stored: StoredInstallation = { content, rows: await readRows(app.database.db) };
      await writeFile(join(FOLDER, `${manifest.version}.json`), `${JSON.stringify(stored, null, 1)}\n`);
    });
  });

for (const file of readdirSync(FOLDER))
  describe(`an installation that ${file.replace('.json', '')} has left`, function () {
    const { content, rows }: StoredInstallation = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
    const world = use(this, () => openWorld(new Set([content.refreshToken])));
    const database = use(this, () => restoreRows(rows));
    const start = (): Promise<TestApp> => startOn(database, content, world);

    it('starts under this version, which sends the webhooks and runs the scripts that waited', async () => {
      await using app = await start();
      await check(app, content);
      app.services.deliverer.start();
      app.services.scriptQueue.start();
      await until('the webhooks that waited are sent', async () => world.received.length >= 3);
      const runs = async () => (await app.client(content.apiKey).get(`${SCRIPT_PATH}/runs`)).body.data;
      await until('the script that waited has run', async () => (await runs()).length > 0);
      expect((await runs())[0], JSON.stringify((await runs())[0])).to.deep.include({ connection_id: 'oauth', status: 'done' });
      expect(world.received.map(({ connectionId }) => connectionId)).to.include.members(['oauth', 'key']);
    });

    it('is searched once the schedule has given its connections their words', async () => {
      await using app = await start();
      await addMissingSearchWords(app.services);
      const { body } = await app.client(content.apiKey).get('/connections?search=oaut');
      expect(body.connections.map((one: { connection_id: string }) => one.connection_id)).to.deep.equal(['oauth']);
    });

    it('is served by this version while, and after, instances of the next one migrate it (MIG-01, MIG-03)', async () => {
      await using before = await start();
      const next = await copyOfMigrations(NEXT);
      expect(await migrateAtOnce(database, next, FLEET)).to.deep.equal(['9999_next']);
      await rm(next, { recursive: true });
      await using beside = await start();
      for (const app of [before, beside, before, beside]) await check(app, content);
    });

    it('is served by this version again after a rollback from the next one', async () => {
      expect(await database.db('schema_migrations').orderBy('name', 'desc').first('name')).to.deep.equal({ name: '9999_next' });
      await using app = await start();
      await check(app, content);
    });
  });

function startOn(database: TestDatabase, { encryptionKeys, apiKey }: Content, { net }: World): Promise<TestApp> {
  const env = { SVC_ENCRYPTION_KEYS: encryptionKeys, SVC_BOOTSTRAP_API_KEY: apiKey };
  return startApp({ database, net, env });
}
