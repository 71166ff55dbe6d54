import { readFile, stat, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { rememberSecret, sweep } from '../support/canaries.ts';
import { CommandLine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { Installation } from '../support/installation.ts';
import { use } from '../support/use.ts';

/** A name with characters that reverse the text around them and control the terminal. */
const ODD_NAME = 'back\u202eend\u009b2J';
const ESCAPED_NAME = 'back\\u202eend\\u009b2J';

describe('commands and the audit trail (ACC-01)', function () {
  this.timeout(60_000);
  const installation = use(this, () => Installation.open());
  const commandLine = use(this, async () => new CommandLine());
  const folder = use(this, temporaryFolder);
  const svc = (...args: string[]) => commandLine.run(installation.env, ...args);
  const object = async (...args: string[]) => {
    const { code, stdout, stderr } = await svc(...args, '--json');
    expect(code, stderr).to.equal(0);
    return JSON.parse(stdout);
  };
  const path = (name: string) => join(folder.path, name);
  before(async () => {
    await (await installation.startApp()).api.get('/connections');
  });

  it('record what they change, reveal and export, by the user of the operating system', async () => {
    await object('env', 'set', '--on-refresh', 'off', '--variable', 'TOKEN=not in the trail');
    const { id, secret } = await object('api-keys', 'create', '--name', ODD_NAME, '--scopes', 'environment:*');
    expect((await svc('api-keys', 'list')).stdout)
      .to.contain(ESCAPED_NAME)
      .and.not.contain(ODD_NAME);
    rememberSecret('key of a command', secret);
    await object('api-keys', 'revoke', String(id));
    await object('env', 'get');
    await object('env', 'rotate-webhook-secret');
    const { account_key: accountKey } = await object('account', 'create', '--name', 'second');
    rememberSecret('account key of a command', accountKey);
    await writeFile(path('key'), 'k'.repeat(44));
    await object('export', path('dev.export'), '--key-file', path('key'));
    await object('import', path('dev.export'), '--key-file', path('key'), '--env', 'copy');

    const { code, stdout } = await svc('audit', 'export');
    expect(code).to.equal(0);
    expect(stdout).to.contain(ESCAPED_NAME).and.not.contain(ODD_NAME);
    const entries = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(entries.map(({ action }) => action)).to.deep.equal([
      'environment.update',
      'api_key.create',
      'api_key.revoke',
      'webhook_secret.reveal',
      'webhook_secret.rotate',
      'account.create',
      'environment.export',
      'environment.import',
      'audit.export',
    ]);
    for (const { actor, address } of entries)
      expect([actor, address]).to.deep.equal([{ kind: 'cli', id: null, name: userInfo().username }, null]);
    const logged = await installation
      .db('operation_log')
      .where({ type: 'admin', actor_kind: 'cli' })
      .orderBy('id')
      .pluck('operation');
    const ofEnvironments = entries.filter(({ environment_id: id }) => id !== null);
    expect(logged, 'the operation logs').to.deep.equal(ofEnvironments.map(({ action }) => action));
    expect(entries[0].facts).to.deep.equal({ given: ['on_refresh'], variables: ['TOKEN'] });
    expect(sweep({ stdout })).to.deep.equal([]);
    expect(stdout).not.to.contain('not in the trail');
  });

  it('export a part into a new file that only its owner may read, and overwrite none', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    expect((await svc('audit', 'export', '--output', path('trail'), '--until', tomorrow)).code).to.equal(0);
    expect((await stat(path('trail'))).mode & 0o777).to.equal(0o600);
    const text = await readFile(path('trail'), 'utf8');
    expect(JSON.parse(text.split('\n')[0] ?? '')).to.include({ sequence: 1, action: 'environment.update' });
    expect((await svc('audit', 'export', '--since', tomorrow)).stdout).to.equal('');
    expect((await svc('audit', 'export', '--output', path('trail'))).code).to.equal(1);
    expect((await svc('audit', 'export', '--since', 'yesterday')).code).to.equal(2);
    expect((await svc('audit')).code).to.equal(2);
  });

  it('report that its completeness cannot be verified in a data directory without an anchor', async () => {
    const { code, stdout, stderr } = await svc('audit', 'verify', '--json');
    expect(code).to.equal(1);
    expect(JSON.parse(stdout)).to.deep.include({ ok: false, state: 'unanchored' });
    expect(JSON.parse(stdout).verified).to.be.above(5);
    expect(stderr).to.contain('audit anchor');
  });

  it('anchor it, which is recorded, in a file that only its owner may read', async () => {
    expect((await svc('audit', 'anchor')).code).to.equal(0);
    const { ok, last_sequence: last, last_mac: mac } = await object('audit', 'verify');
    expect(ok).to.equal(true);
    const file = join(installation.env['SVC_DATA_DIR'] ?? '', 'audit-mark');
    expect(await readFile(file, 'utf8')).to.equal(`${last} ${mac}\n`);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    const { action, facts } = await installation.db('audit_entries').orderBy('sequence', 'desc').first('action', 'facts');
    expect({ action, facts }).to.deep.equal({ action: 'audit.anchor', facts: { former_sequence: null, former_mac: null } });
    await object('env', 'set', '--on-refresh', 'on');
    expect(await readFile(file, 'utf8'), 'the mark moves on').to.match(new RegExp(`^${last + 1} `));
  });

  it('verify it, and end with 1 and the first altered entry', async () => {
    const { ok, verified, last_sequence: last, last_mac: mac } = await object('audit', 'verify');
    expect([ok, verified === last, /^[0-9a-f]{64}$/.test(mac)]).to.deep.equal([true, true, true]);
    const { db } = installation;
    await db.raw(
      "alter table audit_entries disable trigger user; update audit_entries set actor_name = 'root 2' where sequence = 2",
    );
    const { code, stdout, stderr } = await svc('audit', 'verify', '--json');
    expect(code).to.equal(1);
    expect(JSON.parse(stdout)).to.deep.include({ ok: false, verified: 1, broken_at: 2, fault: 'altered' });
    expect(stderr).to.equal('entry 2 of the audit trail was changed after it was written\n');
  });

  it('detect that a database writer has emptied it, and accept the remaining entries after a new anchor', async () => {
    await installation.db.raw(`alter table audit_head disable trigger user; alter table audit_keys disable trigger user;
      delete from audit_entries; delete from audit_keys;
      update audit_head set sequence = 0, mac = null, key_id = null, proof = null`);
    const { code, stdout, stderr } = await svc('audit', 'verify', '--json');
    expect(code).to.equal(1);
    expect(JSON.parse(stdout)).to.deep.include({ ok: false, verified: 0, broken_at: 1, fault: 'cut_off' });
    expect(stderr).to.equal('entry 1 of the audit trail is missing, with all entries after it\n');
    // An entry that is added afterwards does not hide that earlier ones are missing.
    await object('env', 'set', '--on-refresh', 'off');
    expect(JSON.parse((await svc('audit', 'verify', '--json')).stdout)).to.include({ fault: 'cut_off', verified: 1 });
    expect((await svc('audit', 'anchor')).code).to.equal(0);
    expect(await object('audit', 'verify')).to.include({ ok: true, verified: 2 });
  });
});
