import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { startApp } from '../../../support/app.ts';
import { temporaryFolder } from '../../../support/folders.ts';
import { needPostgres15, programOf, startPostgres15 } from '../../../support/postgres-15.ts';
import { check, fill } from '../../../support/stored-installation/content.ts';
import { readRows } from '../../../support/stored-installation/rows.ts';
import { openWorld } from '../../../support/stored-installation/world.ts';
import { use } from '../../../support/use.ts';

const run = promisify(execFile);

describe("a backup of the operator's Postgres by pg_dump", function () {
  before(function () {
    needPostgres15(this);
  });
  const server = use(this, startPostgres15);
  const folder = use(this, temporaryFolder);

  it('is restored by pg_restore, and served with the same encryption keys', async () => {
    const tokens = new Set<string>();
    await using world = await openWorld(tokens);
    await using source = await server.cloneDatabase();
    await using app = await startApp({ database: source, net: world.net });
    const content = await fill(app);
    tokens.add(content.refreshToken);
    await app.services.activity.flush();

    const file = join(folder.path, 'svc.dump');
    await run(programOf('pg_dump'), ['--format=custom', `--file=${file}`, source.url]);
    await using target = await server.emptyDatabase();
    await run(programOf('pg_restore'), ['--no-owner', '--exit-on-error', `--dbname=${target.url}`, file]);
    expect(await readRows(target.db)).to.deep.equal(await readRows(source.db));

    const env = { SVC_ENCRYPTION_KEYS: content.encryptionKeys, SVC_BOOTSTRAP_API_KEY: content.apiKey };
    await using restored = await startApp({ database: target, net: world.net, env });
    await check(restored, content);
  });
});
