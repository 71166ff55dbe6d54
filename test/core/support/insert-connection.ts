import type { Knex } from 'knex';

/** Inserts a connection, and the rows on which it depends, directly into the database. */
export async function insertConnection(db: Knex, columns: Readonly<Record<string, unknown>>): Promise<void> {
  const [account] = await db('accounts').insert({ name: 'a' }, ['id']);
  const [environment] = await db('environments').insert({ account_id: account.id, name: 'e' }, ['id']);
  const parent = { environment_id: environment.id };
  const integration = { ...parent, unique_key: 'i', provider: 'generic-oauth', display_name: 'i', client: '', mac: '' };
  const [{ id }] = await db('integrations').insert(integration, ['id']);
  await db('connections').insert({ ...parent, integration_id: id, connection_id: 'c', credentials: '', ...columns });
}
