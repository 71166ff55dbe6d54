import { expect } from 'chai';
import { AUDIT_ACTIONS } from '../../../core/journal/audit-trail/entry.ts';
import { ACTIONS, didOf, type Entry, factsOf, whoOf } from '../../../ui/dashboard/pages/account/audit-words.ts';

const ADA = { kind: 'member', id: '1', name: 'ada@acme.example' };
const GRACE = { type: 'member', id: '2', name: 'grace@acme.example' };
const FACTS = { integration: 'notes', role: 'developer', version: 3 };

function entryOf(given: Partial<Entry>): Entry {
  const rest = { sequence: 1, at: '2026-01-15T09:00:00.000Z', environment: null, address: null };
  return { ...rest, actor: ADA, action: 'member.remove', subject: GRACE, facts: {}, ...given };
}

describe('the words of the audit trail', () => {
  for (const action of AUDIT_ACTIONS)
    it(`say what was done: ${action}`, () => {
      expect(ACTIONS.find(({ value }) => value === action)?.label).to.match(/^[A-Z][a-z]+|^API /);
      expect(didOf(entryOf({ action, facts: FACTS }))).to.match(/^[a-z][^{}]*$/);
      expect(didOf(entryOf({ action }))).to.match(/^[a-z][^{}]*$/);
    });

  it('name the subject and the facts, each once', () => {
    const entry = entryOf({
      action: 'connection.delete',
      subject: { type: 'connection', id: 'conn_1', name: null },
      facts: { integration: 'notes', by: 'a rule' },
    });
    expect(`${whoOf(entry)} ${didOf(entry)}`).to.equal('ada@acme.example deleted the connection conn_1 of notes');
    expect(factsOf(entry)).to.equal('by: a rule');
  });

  it('list facts without those that are empty', () => {
    const facts = {
      scopes: ['a', 'b'],
      expires_at: null,
      is_production: false,
      dropped: [],
      encrypts: { now: 'k2' },
      name: 'Phone',
      given: [...'abcdefg'],
    };
    expect(factsOf(entryOf({ facts }))).to.equal(
      'scopes: a, b · is production: no · encrypts: {"now":"k2"} · name: Phone · fields: a, b, c, d, e and 2 more',
    );
  });

  it('say what members did to themselves, and what others did to them', () => {
    const herself = { type: 'member', id: '1', name: 'ada@acme.example' };
    const facts = { role: 'admin', by: 'identity provider' };
    expect(didOf(entryOf({ action: 'member.update', subject: herself, facts }))).to.equal('became admin');
    expect(didOf(entryOf({ action: 'member.update', facts }))).to.equal('changed the role of grace@acme.example to admin');
    expect(didOf(entryOf({ action: 'member.join', subject: herself }))).to.equal('became a member');
  });

  it('begin with whoever did it', () => {
    const said = (actor: Entry['actor']) => whoOf(entryOf({ actor }));
    expect(said({ kind: 'api_key', id: '7', name: 'backend' })).to.equal('API key backend');
    expect(said({ kind: 'cli', id: null, name: 'root' })).to.equal('The command line');
    expect(said(ADA)).to.equal('ada@acme.example');
  });

  it('are those of the service for an action that is not known yet', () =>
    expect(didOf(entryOf({ action: 'of.tomorrow' }))).to.equal('of.tomorrow grace@acme.example'));
});
