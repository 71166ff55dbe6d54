import { expect } from 'chai';
import { canary } from '../../support/canaries.ts';
import {
  acknowledgedWritesHold,
  allDelivered,
  nothingInvented,
  nothingStuck,
  oneIdEach,
  presentedOnce,
  secretsStayHome,
} from '../../support/checker.ts';
import type { LedgerEntry } from '../../support/scripted-server/ledger.ts';

function entry(changes: Partial<LedgerEntry>): LedgerEntry {
  return {
    at: new Date(),
    endpoint: 'token',
    method: 'POST',
    target: '/token',
    headers: {},
    rawHeaders: [],
    body: Buffer.alloc(0),
    bodyBytes: 0,
    bodySha256: '',
    params: {},
    outcome: 'answered',
    status: 200,
    ended: Promise.resolve(),
    ...changes,
  };
}

function refreshOf(generation: number, changes: Partial<LedgerEntry> = {}): LedgerEntry {
  return entry({ presented: { kind: 'refresh', family: 1, generation }, ...changes });
}

describe('checker', () => {
  it('C1 finds a token that was presented again after its response', () => {
    expect(presentedOnce([refreshOf(1), refreshOf(2)])).to.deep.equal([]);
    expect(presentedOnce([refreshOf(1), refreshOf(1)])).to.deep.equal([
      { invariant: 'C1', detail: 'generation 1 of grant 1 was presented again after its response' },
    ]);
  });

  it('C1 allows a second use when the first response was lost or said nothing of the token', () => {
    expect(presentedOnce([refreshOf(1, { outcome: 'unknown' }), refreshOf(1)])).to.deep.equal([]);
    expect(presentedOnce([refreshOf(1, { status: 503 }), refreshOf(1, { status: 429 }), refreshOf(1)])).to.deep.equal([]);
    expect(presentedOnce([refreshOf(1), refreshOf(1)], (_entry) => true)).to.deep.equal([]);
  });

  it('C2 finds a committed event that nobody received', () => {
    expect(allDelivered(['a', 'b'], [{ event: 'a', id: '1' }])).to.deep.equal([
      { invariant: 'C2', detail: 'b was never delivered' },
    ]);
  });

  it('C3 finds copies of one event under several ids', () => {
    const copies = [
      { event: 'a', id: '1' },
      { event: 'a', id: '1' },
    ];
    expect(oneIdEach(copies)).to.deep.equal([]);
    expect(oneIdEach([...copies, { event: 'a', id: '2' }])).to.have.lengthOf(1);
  });

  it('C4 finds a delivery of something that was never committed', () => {
    expect(nothingInvented(['a'], [{ event: 'x', id: '1' }])).to.deep.equal([
      { invariant: 'C4', detail: 'x was never committed' },
    ]);
  });

  it('C5 finds an acknowledged write that did not last', () => {
    const write = { what: 'create c-1', status: 200, table: 'connections', where: { connection_id: 'c-1' } };
    const there = { connections: [{ connection_id: 'c-1' }] };
    expect(acknowledgedWritesHold([write], there)).to.deep.equal([]);
    expect(acknowledgedWritesHold([write], { connections: [] })).to.have.lengthOf(1);
    expect(acknowledgedWritesHold([{ ...write, status: 503 }], {})).to.deep.equal([]);
    expect(acknowledgedWritesHold([{ ...write, expects: 'absent' }], there)).to.have.lengthOf(1);
  });

  it('C6 finds a credential that reached another host', () => {
    const secret = canary('only for home');
    const entries = [entry({ rawHeaders: ['Authorization', `Basic ${Buffer.from(`me:${secret}`).toString('base64')}`] })];
    const mayReceive = (name: string) => name === 'only for home';
    expect(secretsStayHome([{ host: 'home', entries, mayReceive }])).to.deep.equal([]);
    expect(secretsStayHome([{ host: 'elsewhere', entries, mayReceive: () => false }])).to.deep.equal([
      { invariant: 'C6', detail: '"only for home" (base64) reached elsewhere[0]' },
    ]);
  });

  it('C7 finds a row that outlived its intermediate state', () => {
    const now = new Date('2030-01-01T00:01:00Z');
    const row = { what: 'connection 7, refreshing', deadline: new Date('2030-01-01T00:00:00Z') };
    expect(nothingStuck([row], now, 60_000)).to.deep.equal([]);
    expect(nothingStuck([row], now, 59_000)).to.have.lengthOf(1);
  });
});
