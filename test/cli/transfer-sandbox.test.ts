import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { rememberSecret } from '../support/canaries.ts';
import { CommandLine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { Installation } from '../support/installation.ts';
import { addSandbox } from '../support/sandbox.ts';
import { use } from '../support/use.ts';

describe('moving a sandbox to another installation', function () {
  this.timeout(60_000);
  const folder = use(this, temporaryFolder);
  const source = use(this, () => Installation.open());
  const target = use(this, () => Installation.open());
  const commandLine = use(this, async () => new CommandLine());

  it('is refused if its target is a production environment', async () => {
    const file = join(folder.path, 'dev.export');
    const keyFile = join(folder.path, 'key');
    await writeFile(keyFile, rememberSecret('key of an export', randomBytes(32).toString('base64')));
    await addSandbox(await source.startApp());
    await target.startApp();
    const run = (env: Installation['env'], command: string) => commandLine.run(env, command, file, '--key-file', keyFile);
    expect((await run(source.env, 'export')).code).to.equal(0);
    const mark = (is_production: boolean) => target.db('environments').where({ id: 1 }).update({ is_production });

    await mark(true);
    const { code, stderr } = await run(target.env, 'import');
    const reason = 'these integrations use a sandbox provider, which production environments cannot use: sandbox-oauth2\n';
    expect([code, stderr]).to.deep.equal([1, reason]);
    expect(await target.db('integrations')).to.deep.equal([]);

    await mark(false);
    expect((await run(target.env, 'import')).code).to.equal(0);
    expect(await target.db('integrations').pluck('unique_key')).to.deep.equal(['sandbox-oauth2']);
  });
});
