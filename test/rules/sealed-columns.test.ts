import { expect } from 'chai';
import { ALL_SEALED } from '../../core/operate/keys/sealed-columns.ts';
import { LOCAL_COLUMNS } from '../../core/operate/transfer/tables.ts';
import { cloneDatabase } from '../support/database.ts';
import { use } from '../support/use.ts';

/**
 * Binary columns that no rotation of keys encrypts anew: hashes and values that are compared with hashes, the proofs that a
 * configured key is the right one, the chain of the audit trail, and logos.
 */
const NOT_SEALED = [
  'api_keys.secret_hash',
  'audit_entries.mac',
  'audit_entries.previous_mac',
  'audit_head.mac',
  'audit_head.proof',
  'authorization_flows.browser_hash',
  'authorization_flows.launch_hash',
  'authorization_flows.state_hash',
  'company_logos.image',
  'connect_sessions.token_hash',
  'encryption_keys.canary',
  'environments.brand_logo',
  'idempotency_keys.scope_hash',
  'member_links.token_hash',
  'member_sessions.token_hash',
  'sign_in_attempts.key_hash',
  'provider_probes.definition_hash',
  'script_versions.sha256',
  'webhook_duplicates.key',
];

describe('the columns that a rotation of encryption keys reads', function () {
  const database = use(this, cloneDatabase);

  it('are all binary columns of the schema, except those listed as not encrypted', async () => {
    const { rows }: { rows: { name: string }[] } = await database.db.raw(
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'public' and data_type = 'bytea'`,
    );
    const sealed = ALL_SEALED.map(({ table, column }) => `${table}.${column}`);
    expect(rows.map(({ name }) => name)).to.have.members([...sealed, ...NOT_SEALED]);
  });
});

describe('the columns that an export leaves out', function () {
  const database = use(this, cloneDatabase);

  it('include all references to other rows, because their IDs mean nothing in another database', async () => {
    const { rows }: { rows: { table: string; column: string }[] } = await database.db.raw(
      `select conrelid::regclass::text as table, attname as column from pg_constraint
       join pg_attribute on attrelid = conrelid and attnum = any(conkey)
       where contype = 'f' and conrelid::regclass::text = any(?)`,
      [Object.keys(LOCAL_COLUMNS)],
    );
    const left: Readonly<Record<string, readonly string[]>> = LOCAL_COLUMNS;
    expect(rows).to.have.length.above(Object.keys(left).length);
    expect(rows.filter(({ table, column }) => !left[table]?.includes(column))).to.deep.equal([]);
  });
});
