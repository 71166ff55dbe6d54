import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { NewAuditEntry } from '../../../../core/journal/audit-trail/entry.ts';
import { AuditMark } from '../../../../core/journal/audit-trail/mark.ts';
import { recordAudit } from '../../../../core/journal/audit-trail/record.ts';
import { auditPage } from '../../../../core/journal/audit-trail/trail.ts';
import { verifyAudit } from '../../../../core/journal/audit-trail/verify.ts';
import { KeyRing, newKeyRingText } from '../../../../core/kit/key-ring.ts';
import { createLogger } from '../../../../core/kit/logger.ts';
import { insertMember } from '../../../../core/tenants/members/member-store.ts';
import { cloneDatabase, type TestDatabase } from '../../../support/database.ts';
import { makeFolders } from '../../../support/folders.ts';
import { useEach } from '../../../support/use.ts';

const ENTRY: NewAuditEntry = {
  source: { actor: { kind: 'system' } },
  accountId: 1,
  action: 'audit.export',
  subject: { type: 'audit_trail' },
};
const NOTHING = Buffer.alloc(0);
const WRONG = Buffer.alloc(32);

describe('the mark of the audit trail (ACC-01)', function () {
  const database = useEach(this, cloneDatabase);
  const folder = useEach(this, () => makeFolders({}));
  const keys = KeyRing.parse(newKeyRingText());
  const depsOf = ({ db }: Pick<TestDatabase, 'db'> = database) => ({
    db,
    keys,
    activity: { noteAdministration: () => undefined },
  });
  const openMark = (dataDir = folder.path) => new AuditMark({ dataDir, db: database.db, log: createLogger({ level: 'silent' }) });

  async function record(count: number, auditMark?: AuditMark): Promise<void> {
    for (let at = 0; at < count; at += 1) await recordAudit({ ...depsOf(), auditMark }, ENTRY);
    await auditMark?.[Symbol.asyncDispose]();
  }

  it('shows that the end of a trail was cut off or that the trail was replaced', async () => {
    await record(3);
    const { entries } = await auditPage(database.db, { accountId: 1 }, { limit: 10 });
    for (const { sequence, mac } of entries) expect((await verifyAudit(depsOf(), { sequence, mac })).broken).to.equal(undefined);
    const brokenBy = async (sequence: number) => (await verifyAudit(depsOf(), { sequence, mac: WRONG })).broken;
    expect(await brokenBy(4)).to.deep.equal({ sequence: 4, fault: 'cut_off' });
    expect(await brokenBy(2)).to.deep.equal({ sequence: 2, fault: 'altered' });
  });

  it('is not needed to find that there are fewer entries than members', async () => {
    await record(3);
    const [{ id: accountId }] = await database.db('accounts').insert({ name: 'main' }).returning('id');
    const join = (at: number) => insertMember(depsOf(), { accountId, name: 'A', email: `a${at}@acme.example`, role: 'viewer' });
    for (const at of [1, 2, 3]) await join(at);
    expect((await verifyAudit(depsOf())).broken).to.equal(undefined);
    await join(4);
    expect((await verifyAudit(depsOf())).broken).to.deep.equal({ sequence: 4, fault: 'cut_off' });
  });

  it('exists from the beginning, advances with each entry, and never goes back', async () => {
    const mark = openMark();
    await mark.begin();
    expect(await mark.read()).to.deep.equal({ sequence: 0, mac: NOTHING });
    await record(3, mark);
    const { lastMac } = await verifyAudit(depsOf());
    expect(await mark.read()).to.deep.equal({ sequence: 3, mac: Buffer.from(lastMac, 'hex') });
    mark.advance({ sequence: 2, mac: WRONG });
    await mark[Symbol.asyncDispose]();
    expect(await mark.read()).to.include({ sequence: 3 });
  });

  it('makes its directory, which a start on a database of the operator may not have', async () => {
    const mark = openMark(join(folder.path, 'none', 'yet'));
    await mark.begin();
    expect(await mark.read()).to.deep.equal({ sequence: 0, mac: NOTHING });
  });

  it('does not advance when its entry is missing, so that new entries do not conceal a cut', async () => {
    const mark = openMark();
    await mark.begin();
    await record(3, mark);
    const head = await database.db('audit_head').first();
    await record(3, mark);
    for (const table of ['audit_entries', 'audit_head']) await database.db.raw(`alter table ${table} disable trigger user`);
    await database.db('audit_entries').where('sequence', '>', 3).delete();
    await database.db('audit_head').update(head);
    await record(5, mark);
    expect(await mark.read()).to.include({ sequence: 6 });
    expect((await verifyAudit(depsOf())).broken, 'only the mark shows the cut').to.equal(undefined);
    expect((await verifyAudit(depsOf(), await mark.read())).broken).to.deep.equal({ sequence: 6, fault: 'altered' });
  });

  it('prevents neither a start nor new entries when it cannot be read', async () => {
    await writeFile(join(folder.path, 'audit-mark'), 'no mark');
    const mark = openMark();
    await mark.begin();
    await record(1, mark);
    expect(await mark.read().catch(String)).to.contain('svc audit anchor');
    mark.renew();
    await record(1, mark);
    expect(await mark.read()).to.include({ sequence: 2 });
  });

  it('begins on a trail that may have been cut before only when an operator renews it', async () => {
    await record(1);
    const mark = openMark();
    await mark.begin();
    await record(1, mark);
    expect(await mark.read()).to.equal(undefined);
    mark.renew();
    await record(1, mark);
    expect(await mark.read()).to.include({ sequence: 3 });
    await record(1, mark);
    expect(await mark.read()).to.include({ sequence: 4 });
  });
});
