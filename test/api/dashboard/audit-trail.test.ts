import { expect } from 'chai';
import type { AuditActor } from '../../../core/journal/audit-trail/entry.ts';
import { recordAudit } from '../../../core/journal/audit-trail/record.ts';
import { verifyAudit } from '../../../core/journal/audit-trail/verify.ts';
import { startApp } from '../../support/app.ts';
import { signedInAs, type TestMember } from '../../support/dashboard/members.ts';
import { expectError } from '../../support/std-error.ts';
import { useEach } from '../../support/use.ts';

const AUDIT = '/api/ui/account/audit';
const CLI: AuditActor = { kind: 'cli', name: 'root' };
const KEY: AuditActor = { kind: 'api_key', id: '7', name: 'backend' };

describe('the audit trail in the dashboard', function () {
  const app = useEach(this, startApp);
  let admin: TestMember;

  beforeEach(async () => {
    admin = await signedInAs(app, 'admin');
  });

  const record = (actor: AuditActor, action: 'integration.create' | 'integration.update', environmentId?: number) =>
    recordAudit(app.services, {
      source: { actor },
      accountId: app.accountId,
      environmentId,
      action,
      subject: { type: 'integration', id: 'jira' },
    });
  const listed = async (query: Readonly<Record<string, string>>) => {
    const { status, body, text } = await admin.ui.get(`${AUDIT}?${new URLSearchParams(query)}`);
    expect(status, text).to.equal(200);
    return body as { data: { sequence: number; at: string; action: string; facts: unknown }[]; next_cursor: string | null };
  };
  const sequences = async (query: Readonly<Record<string, string>>) => (await listed(query)).data.map(({ sequence }) => sequence);

  it('is listed by action, actor, environment and time, and by several of them', async () => {
    await record(KEY, 'integration.create', 1);
    await record(CLI, 'integration.update', 1);
    await record({ ...KEY, id: '8' }, 'integration.update');
    await record(KEY, 'integration.update');
    const second = (await listed({})).data.find(({ sequence }) => sequence === 2)?.at ?? '';
    expect(await sequences({})).to.deep.equal([4, 3, 2, 1]);
    expect(await sequences({ action: 'integration.update' })).to.deep.equal([4, 3, 2]);
    expect(await sequences({ actor: 'api_key' })).to.deep.equal([4, 3, 1]);
    expect(await sequences({ actor: 'api_key', actor_id: '7' })).to.deep.equal([4, 1]);
    expect(await sequences({ environment: 'dev' })).to.deep.equal([2, 1]);
    expect(await sequences({ environment: 'nowhere' })).to.deep.equal([]);
    expect(await sequences({ since: second })).to.include.members([4, 3, 2]);
    expect(await sequences({ until: '2026-01-01T00:00:00Z' })).to.deep.equal([]);
    expect(await sequences({ environment: 'dev', actor: 'cli', action: 'integration.update', since: second })).to.deep.equal([2]);
    expectError(await admin.ui.get(`${AUDIT}?actor_id=7`), 'invalid_query_params');
  });

  it('is read page by page, of the size that is asked for', async () => {
    for (let count = 0; count < 3; count += 1) await record(KEY, 'integration.update');
    const first = await listed({ limit: '2', actor: 'api_key' });
    expect(first.data.map(({ sequence }) => sequence)).to.deep.equal([3, 2]);
    expect(await sequences({ limit: '2', actor: 'api_key', cursor: first.next_cursor ?? '' })).to.deep.equal([1]);
    expectError(await admin.ui.get(`${AUDIT}?limit=501`), 'invalid_query_params');
  });

  it('has an entry of each export, with what was exported', async () => {
    const filter = { action: 'integration.update', actor: 'api_key', actor_id: '7', since: '2026-01-01T00:00:00.000Z' };
    expect((await admin.ui.post(`${AUDIT}/exports`, filter)).status).to.equal(204);
    const { data } = await listed({ action: 'audit.export' });
    expect(data[0]).to.deep.include({ action: 'audit.export', facts: filter });
    expect(await verifyAudit(app.services)).to.include({ verified: data.length });
    const { ui } = await signedInAs(app, 'developer');
    expect((await ui.post(`${AUDIT}/exports`, {})).status).to.equal(403);
    expect(await sequences({ action: 'audit.export' })).to.have.length(1);
  });
});
