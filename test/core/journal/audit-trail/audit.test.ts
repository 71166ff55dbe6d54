import { expect } from 'chai';
import { openDatabase } from '../../../../core/db/database.ts';
import { withTransaction } from '../../../../core/db/transaction.ts';
import type { NewAuditEntry } from '../../../../core/journal/audit-trail/entry.ts';
import { recordAudit } from '../../../../core/journal/audit-trail/record.ts';
import { auditLines, auditPage } from '../../../../core/journal/audit-trail/trail.ts';
import { verifyAudit } from '../../../../core/journal/audit-trail/verify.ts';
import { KeyRing, newKeyRingText } from '../../../../core/kit/key-ring.ts';
import { createLogger } from '../../../../core/kit/logger.ts';
import { newApiKey } from '../../../../core/kit/random-id.ts';
import { canary, rememberSecret, sweep } from '../../../support/canaries.ts';
import { cloneDatabase } from '../../../support/database.ts';
import { use, useEach } from '../../../support/use.ts';

const KEYS = KeyRing.parse(newKeyRingText());
const activity = { noteAdministration: () => undefined };
const SOURCE = { actor: { kind: 'api_key', id: '7', name: 'backend' }, address: '192.0.2.1' } as const;

/** Changes by somebody who can disable the triggers, each with the number of the first broken entry (of six) and its fault. */
const TAMPERINGS: Readonly<Record<string, readonly [sql: string, sequence: number, fault: string]>> = {
  'another time': ["update audit_entries set at = at + interval '1 ms' where sequence = 3", 3, 'altered'],
  'another account': ['update audit_entries set account_id = 2 where sequence = 3', 3, 'altered'],
  'another environment': ['update audit_entries set environment_id = null where sequence = 3', 3, 'altered'],
  'another kind of actor': ["update audit_entries set actor_kind = 'cli' where sequence = 3", 3, 'altered'],
  'another actor': ["update audit_entries set actor_id = '8' where sequence = 3", 3, 'altered'],
  'another name of the actor': ["update audit_entries set actor_name = 'other' where sequence = 3", 3, 'altered'],
  'another action': ["update audit_entries set action = 'api_key.revoke' where sequence = 3", 3, 'altered'],
  'another type of subject': ["update audit_entries set subject_type = 'account' where sequence = 3", 3, 'altered'],
  'another subject': ["update audit_entries set subject_id = '4' where sequence = 3", 3, 'altered'],
  'another name of the subject': ['update audit_entries set subject_name = null where sequence = 3', 3, 'altered'],
  'another fact': [`update audit_entries set facts = '{"scopes": []}' where sequence = 3`, 3, 'altered'],
  'another address': ["update audit_entries set address = '192.0.2.2' where sequence = 3", 3, 'altered'],
  'another link': ["update audit_entries set previous_mac = '\\x00' where sequence = 3", 3, 'altered'],
  'another HMAC': ["update audit_entries set mac = sha256('') where sequence = 3", 3, 'altered'],
  'another key': ['update audit_entries set key_id = 2 where sequence = 3', 3, 'altered'],
  'an entry less': ['delete from audit_entries where sequence = 3', 3, 'missing'],
  'the first less': ['delete from audit_entries where sequence = 1', 1, 'missing'],
  'an entry less, and the others moved up': [
    'delete from audit_entries where sequence = 3; update audit_entries set sequence = sequence - 1 where sequence > 3',
    3,
    'altered',
  ],
  'two that have changed places': [
    `update audit_entries set sequence = -sequence where sequence in (3, 5);
     update audit_entries set sequence = 8 + sequence where sequence < 0`,
    3,
    'reordered',
  ],
  'the last less': ['delete from audit_entries where sequence = 6', 6, 'cut_off'],
  'the last less, and a head that fits': [
    `delete from audit_entries where sequence = 6;
     update audit_head set sequence = 5, mac = (select mac from audit_entries where sequence = 5)`,
    5,
    'end_altered',
  ],
  'a head without proof': ['update audit_head set proof = null', 6, 'end_altered'],
  'a head that is older': ['update audit_head set sequence = 5', 6, 'end_altered'],
  'no head': ['delete from audit_head', 6, 'end_altered'],
  'everything gone but the head': ['delete from audit_entries', 1, 'cut_off'],
  'everything gone, and a head as at first': [
    'delete from audit_entries; update audit_head set sequence = 0, mac = null, key_id = null, proof = null',
    1,
    'cut_off',
  ],
  'another secret in place of the key': [
    'update audit_keys set secret = set_byte(secret, 20, 255 - get_byte(secret, 20))',
    1,
    'altered',
  ],
};

describe('the audit trail (ACC-01)', function () {
  this.timeout(60_000);
  const database = useEach(this, cloneDatabase);
  const deps = (keys = KEYS) => ({ db: database.db, keys, activity });
  const record = (count: number, keys = KEYS) => recordMany(deps(keys), count);

  it('is verified as it was written, with sequences from 1', async () => {
    expect(await verifyAudit(deps())).to.deep.equal({ verified: 0, lastMac: '' });
    await record(3);
    const { entries } = await auditPage(database.db, { accountId: 1 }, { limit: 10 });
    expect(entries.map(({ sequence }) => sequence)).to.deep.equal([3, 2, 1]);
    expect(await verifyAudit(deps())).to.deep.equal({ verified: 3, lastMac: entries[0]?.mac.toString('hex') });
  });

  it('refuses changes and removals of entries while its triggers are enabled', async () => {
    await record(1);
    for (const sql of [
      'update audit_entries set at = at',
      'delete from audit_entries',
      'truncate audit_entries',
      'update audit_head set sequence = 0',
      'delete from audit_head',
      'truncate audit_head, audit_keys',
      'delete from audit_keys',
      "set local session_replication_role = 'replica'; delete from audit_entries",
    ])
      expect(await withTransaction(database.db, (trx) => trx.raw(sql)).then(() => sql, String)).to.contain('append-only');
    expect(await verifyAudit(deps())).to.include({ verified: 1 });
  });

  it('has no gap after concurrent writes of two instances, rollbacks and lost connections', async () => {
    const other = openDatabase({ url: database.url, log: createLogger({ level: 'silent' }) });
    let told = 0;
    const counting = { noteAdministration: () => (told += 1) };
    try {
      const failed = Array.from({ length: 10 }, () =>
        withTransaction(other, async (trx) => {
          await recordAudit({ db: trx, keys: KEYS, activity: counting }, entry(0));
          throw new Error('the work failed');
        }).catch(() => undefined),
      );
      const lost = withTransaction(database.db, async (trx) => {
        await recordAudit({ db: trx, keys: KEYS, activity: counting }, entry(0));
        await trx.raw('select pg_terminate_backend(pg_backend_pid())');
      }).catch(() => undefined);
      const written = Array.from({ length: 20 }, (_, at) =>
        recordAudit({ db: at % 2 ? other : database.db, keys: KEYS, activity: counting }, entry(at)),
      );
      await Promise.all([...written, ...failed, lost]);
    } finally {
      await other.destroy();
    }
    expect(await verifyAudit(deps())).to.include({ verified: 20 });
    const { rows } = await database.db.raw('select max(sequence) as last, count(*) as count from audit_entries');
    expect(rows).to.deep.equal([{ last: 20, count: 20 }]);
    expect(told, 'notes in the operation log').to.equal(20);
  });

  it('uses a new key of its own after a rotation of the encryption keys, and earlier entries stay valid', async () => {
    await record(2);
    const [old, fresh] = [newKeyRingText('k2'), KEYS];
    const both = KeyRing.parse(`${old}`);
    both.learn(fresh);
    await record(2, both);
    expect(await verifyAudit(deps(both))).to.include({ verified: 4 });
    expect(await database.db('audit_keys').orderBy('id').pluck('made_under')).to.deep.equal(['k1', 'k2']);
    expect(await database.db('audit_entries').orderBy('sequence').pluck('key_id')).to.deep.equal([1, 1, 2, 2]);
    await tamper(database.db, 'update audit_entries set key_id = 1 where sequence = 4');
    expect((await verifyAudit(deps(both))).broken).to.deep.equal({ sequence: 4, fault: 'altered' });
  });

  it('contains no secret that was passed to it by mistake', async () => {
    const secrets = { client_secret: canary('client secret'), password: canary('password') };
    const key = rememberSecret('API key in a name', newApiKey());
    const subject = { type: 'api_key', id: '1', name: `named ${key}` } as const;
    await recordAudit(deps(), { ...entry(1), subject, facts: { changed: ['client_secret'], ...secrets } });
    const lines = await all(auditLines(database.db, { accountId: 'all' }));
    expect(sweep({ database: await database.dump(), lines })).to.deep.equal([]);
    expect(JSON.parse(lines).facts).to.deep.equal({
      changed: ['client_secret'],
      client_secret: '[redacted]',
      password: '[redacted]',
    });
    expect(await verifyAudit(deps())).to.include({ verified: 1 });
  });

  it('is verified with unusual names and facts', async () => {
    const odd = {
      text: '\ud800 \0 "é"',
      number: 1e21,
      small: 1e-7,
      zero: -0,
      none: undefined,
      list: [null, [1.5]],
      b: 1,
      a: { d: 1, c: 2 },
    };
    await recordAudit(deps(), { ...entry(1), facts: odd, subject: { type: 'script', name: 'x'.repeat(300) } });
    expect(await verifyAudit(deps())).to.include({ verified: 1 });
  });
});

describe('an audit trail that somebody changed', function () {
  this.timeout(60_000);
  const database = use(this, cloneDatabase);
  const deps = () => ({ db: database.db, keys: KEYS, activity });
  before(() => recordMany(deps(), 6));

  for (const [how, [sql, sequence, fault]] of Object.entries(TAMPERINGS)) {
    it(`is found broken by ${how}`, async () => {
      const undone = new Error('the next test has the trail as it was');
      const attempt = database.db.transaction(async (trx) => {
        await tamper(trx, sql);
        const inside = { ...deps(), db: trx };
        expect((await verifyAudit(inside)).broken).to.deep.equal({ sequence, fault });
        // A broken trail may refuse a further entry; it then stays as broken as it was.
        await trx.transaction((savepoint) => recordMany({ ...inside, db: savepoint }, 1)).catch(() => undefined);
        expect((await verifyAudit(inside)).broken?.sequence, 'after the next entry').to.be.within(sequence, sequence + 1);
        throw undone;
      });
      expect(await attempt.catch((error: unknown) => error)).to.equal(undone);
    });
  }

  it('is verified without such a change', async () => {
    expect(await verifyAudit(deps())).to.include({ verified: 6 });
  });
});

describe('reading the audit trail', function () {
  const database = use(this, cloneDatabase);
  before(async () => {
    for (const [at, environmentId] of [1, 2, 1, undefined].entries())
      await recordAudit({ db: database.db, keys: KEYS, activity }, { ...entry(at), environmentId });
    const source = { actor: { kind: 'cli', name: 'root' } } as const;
    await recordAudit({ db: database.db, keys: KEYS, activity }, { ...entry(5), source, action: 'account.create' });
    await recordAudit({ db: database.db, keys: KEYS, activity }, { ...entry(6), accountId: 2 });
  });

  const FILTERS: readonly (readonly [string, object, readonly number[]])[] = [
    ['an account', {}, [5, 4, 3, 2, 1]],
    ['an environment', { environmentId: 1 }, [5, 3, 1]],
    ['an actor', { actorKind: 'api_key', actorId: '7' }, [4, 3, 2, 1]],
    ['an action', { action: 'account.create' }, [5]],
    ['the time until a day long gone', { until: new Date(0) }, []],
    ['the time from a day that has not come', { since: new Date(Date.now() + 86_400_000) }, []],
  ];
  for (const [what, filter, sequences] of FILTERS) {
    it(`finds the entries of ${what}, newest first`, async () => {
      const { entries } = await auditPage(database.db, { accountId: 1, ...filter }, { limit: 10 });
      expect(entries.map(({ sequence }) => sequence)).to.deep.equal(sequences);
    });
  }

  it('continues on the next page', async () => {
    const first = await auditPage(database.db, { accountId: 1 }, { limit: 3 });
    expect([first.entries.length, first.next]).to.deep.equal([3, 3]);
    const second = await auditPage(database.db, { accountId: 1 }, { limit: 3, before: first.next });
    expect([second.entries.map(({ sequence }) => sequence), second.next]).to.deep.equal([[2, 1], undefined]);
  });

  it('gives JSON lines, oldest first', async () => {
    const lines = (await all(auditLines(database.db, { accountId: 'all' }))).trimEnd().split('\n');
    const [first] = lines.map((line) => JSON.parse(line));
    expect(lines).to.have.length(6);
    expect(first).to.deep.include({
      sequence: 1,
      account_id: 1,
      environment_id: 1,
      actor: { kind: 'api_key', id: '7', name: 'backend' },
      action: 'api_key.create',
      subject: { type: 'api_key', id: '0', name: 'key 0' },
      address: '192.0.2.1',
      previous_mac: '',
    });
  });
});

function entry(at: number): NewAuditEntry {
  const subject = { type: 'api_key', id: String(at), name: `key ${at}` } as const;
  return { source: SOURCE, accountId: 1, environmentId: 1, action: 'api_key.create', subject, facts: { scopes: ['a'] } };
}

async function recordMany(deps: Parameters<typeof recordAudit>[0], count: number): Promise<void> {
  for (let at = 1; at <= count; at += 1) await recordAudit(deps, entry(at));
}

/** Runs a statement with the triggers disabled, which the owner of the tables can do. */
async function tamper(db: Parameters<typeof verifyAudit>[0]['db'], sql: string): Promise<void> {
  for (const table of ['audit_entries', 'audit_keys', 'audit_head']) await db.raw(`alter table ${table} disable trigger user`);
  await db.raw(sql);
}

async function all(lines: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const part of lines) text += part;
  return text;
}
