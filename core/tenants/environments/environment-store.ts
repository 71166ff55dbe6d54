import type { Knex } from 'knex';
import { isTaken } from '../../db/missing-reference.ts';
import { ServiceError } from '../../errors.ts';
import type { EnvironmentRow } from './environment-row.ts';

/** An environment without its secrets. */
export interface Environment {
  readonly id: number;
  readonly uuid: string;
  readonly accountId: number;
  readonly name: string;
  readonly isProduction: boolean;
  readonly callbackUrl: string | null;
  readonly webhookUrl: string | null;
  readonly webhookUrlSince: Date | null;
  readonly webhookUrlSecondary: string | null;
  readonly onNewConnection: boolean;
  readonly onRefresh: boolean;
  readonly onDeletion: boolean;
}

const COLUMNS = [
  'id',
  'uuid',
  'account_id',
  'name',
  'is_production',
  'callback_url',
  'webhook_url',
  'webhook_url_since',
  'webhook_url_secondary',
  'on_new_connection',
  'on_refresh',
  'on_deletion',
] as const;

type PublicRow = Pick<EnvironmentRow, (typeof COLUMNS)[number]>;

export async function environmentById(db: Knex, id: number): Promise<Environment | undefined> {
  const row: PublicRow | undefined = await live(db).where({ id }).first(COLUMNS);
  return row && fromRow(row);
}

export async function environmentByName(db: Knex, accountId: number, name: string): Promise<Environment | undefined> {
  const row: PublicRow | undefined = await live(db).where({ account_id: accountId, name }).first(COLUMNS);
  return row && fromRow(row);
}

export async function environmentsOf(db: Knex, accountId: number): Promise<Environment[]> {
  const rows: PublicRow[] = await live(db).where({ account_id: accountId }).orderBy('id').select(COLUMNS);
  return rows.map(fromRow);
}

/**
 * Locks and returns an account's environments: until this transaction ends, other transactions that take the lock cannot add or
 * remove any.
 */
export async function lockEnvironmentsOf(trx: Knex, accountId: number): Promise<Environment[]> {
  await trx('accounts').where({ id: accountId }).forUpdate().first('id');
  return environmentsOf(trx, accountId);
}

export interface NewEnvironment {
  readonly accountId: number;
  readonly name: string;
  readonly callbackUrl?: string | undefined;
  /** Default: false. */
  readonly isProduction?: boolean | undefined;
}

/** @throws ServiceError `conflict` when the account has an environment of that name */
export async function insertEnvironment(db: Knex, environment: NewEnvironment): Promise<Environment> {
  const { accountId, name, callbackUrl = null, isProduction = false } = environment;
  const [row] = await db<EnvironmentRow>('environments')
    .insert({ account_id: accountId, name, callback_url: callbackUrl, is_production: isProduction })
    .onConflict()
    .ignore()
    .returning(COLUMNS);
  if (row === undefined) throw nameTaken(name);
  return fromRow(row);
}

/** The changes to an environment that the operator may make; absent ones stay unchanged. */
export type EnvironmentChanges = Partial<
  Pick<
    EnvironmentRow,
    | 'name'
    | 'is_production'
    | 'callback_url'
    | 'webhook_url'
    | 'webhook_url_secondary'
    | 'on_new_connection'
    | 'on_refresh'
    | 'on_deletion'
  >
>;

/** @throws ServiceError `conflict` when the account has another environment of the new name */
export async function updateEnvironment(db: Knex, id: number, changes: EnvironmentChanges): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  try {
    await live(db)
      .where({ id })
      .update({ ...changes, ...(changes.webhook_url !== undefined && since(db, changes.webhook_url)) });
  } catch (error) {
    if (isTaken(error)) throw nameTaken(changes.name ?? '');
    throw error;
  }
}

/** Locks the table until the transaction ends, since two instances may start on one empty database. */
export async function lockAccounts(trx: Knex): Promise<void> {
  await trx.raw('lock table accounts in exclusive mode');
}

export async function firstAccountId(db: Knex): Promise<number | undefined> {
  const row: { id: number } | undefined = await db('accounts').orderBy('id').first('id');
  return row?.id;
}

/** Returns the oldest environment of the first account: scripts from the service's script folder belong to it. */
export async function firstEnvironment(db: Knex): Promise<Pick<Environment, 'id' | 'name'> | undefined> {
  const accountId = await firstAccountId(db);
  return accountId === undefined ? undefined : live(db).where({ account_id: accountId }).orderBy('id').first('id', 'name');
}

export async function insertAccount(db: Knex, name: string): Promise<number> {
  const [row]: { id: number }[] = await db('accounts').insert({ name }).returning('id');
  if (row === undefined) throw new Error('insert returned no row');
  return row.id;
}

/** Returns the column that says since when webhooks go to this URL. */
function since(db: Knex, url: string | null): Record<string, Knex.Raw> {
  return { webhook_url_since: db.raw('case when webhook_url is distinct from ? then now() else webhook_url_since end', [url]) };
}

function nameTaken(name: string): ServiceError {
  return new ServiceError('conflict', `an environment called "${name}" already exists; choose another name`);
}

function live(db: Knex): Knex.QueryBuilder<EnvironmentRow, EnvironmentRow[]> {
  return db<EnvironmentRow>('environments').whereNull('deleted_at');
}

function fromRow(row: PublicRow): Environment {
  return {
    id: row.id,
    uuid: row.uuid,
    accountId: row.account_id,
    name: row.name,
    isProduction: row.is_production,
    callbackUrl: row.callback_url,
    webhookUrl: row.webhook_url,
    webhookUrlSince: row.webhook_url_since,
    webhookUrlSecondary: row.webhook_url_secondary,
    onNewConnection: row.on_new_connection,
    onRefresh: row.on_refresh,
    onDeletion: row.on_deletion,
  };
}
