import { expect } from 'chai';
import { connectionName, recordName } from '../../../ui/dashboard/components/whose.ts';

const TAGS = { end_user_display_name: 'Ada', end_user_email: 'ada@acme.example', end_user_id: 'usr_1' };
const LEGACY = { id: 'usr_2', display_name: 'Grace', email: 'grace@acme.example', organization: null };

describe('the name of a connection', () => {
  it('is that of the user, else the e-mail address, else end_user_id, else its ID', () => {
    const row = { connection_id: 'c-1', display_name: 'Ada', email: 'ada@acme.example', end_user_id: 'usr_1' };
    expect([
      connectionName(row),
      connectionName({ ...row, display_name: null }),
      connectionName({ ...row, display_name: null, email: null }),
      connectionName({ connection_id: 'c-1' }),
    ]).to.deep.equal(['Ada', 'ada@acme.example', 'usr_1', 'c-1']);
  });

  const records: readonly [string, Parameters<typeof recordName>[0]][] = [
    ['Ada', { connection_id: 'c-1', tags: TAGS, end_user: LEGACY }],
    ['Grace', { connection_id: 'c-1', tags: { end_user_id: 'usr_1' }, end_user: LEGACY }],
    ['usr_1', { connection_id: 'c-1', tags: { end_user_id: 'usr_1' }, end_user: null }],
    ['usr_2', { connection_id: 'c-1', tags: {}, end_user: { ...LEGACY, display_name: null, email: null } }],
    ['c-1', { connection_id: 'c-1', tags: { plan: 'pro' }, end_user: null }],
  ];
  for (const [name, record] of records)
    it(`is ${name} for the record ${JSON.stringify([record.tags, record.end_user])}`, () => {
      expect(recordName(record)).to.equal(name);
    });
});
