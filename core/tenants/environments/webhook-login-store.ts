import type { Knex } from 'knex';

export interface WebhookLoginRow {
  readonly id: number;
  readonly environment_id: number;
  readonly of: 'environment' | 'connections';
  readonly url: string;
  readonly login: Buffer;
  readonly created_at: Date;
}

/** The kind of setting that names the URL: the environment's own URLs, or overrides by connections. */
type LoginOf = WebhookLoginRow['of'];

export interface LoginKey {
  readonly environmentId: number;
  readonly of: LoginOf;
  /** The URL without user name and password. */
  readonly url: string;
}

/** @param seal encrypts the login, bound to the row of this ID */
export async function putLogin(db: Knex, { environmentId, of, url }: LoginKey, seal: (id: number) => Buffer): Promise<void> {
  const [row]: { id: number }[] = await db<WebhookLoginRow>('webhook_logins')
    .insert({ environment_id: environmentId, of, url, login: Buffer.alloc(0) })
    .onConflict(['environment_id', 'of', 'url'])
    .merge(['url'])
    .returning('id');
  if (row === undefined) throw new Error('upsert returned no row');
  await db<WebhookLoginRow>('webhook_logins')
    .where({ id: row.id })
    .update({ login: seal(row.id) });
}

export function loginAt(
  db: Knex,
  { environmentId, of, url }: LoginKey,
): Promise<Pick<WebhookLoginRow, 'id' | 'login'> | undefined> {
  return db<WebhookLoginRow>('webhook_logins').where({ environment_id: environmentId, of, url }).first('id', 'login');
}

/** Deletes the logins of URLs that the environment's settings no longer name. */
export async function dropUnnamedLogins(db: Knex, environmentId: number): Promise<void> {
  await db.raw(
    `delete from webhook_logins l using environments e
     where l.environment_id = ? and l.of = 'environment' and e.id = l.environment_id
       and l.url is distinct from e.webhook_url and l.url is distinct from e.webhook_url_secondary`,
    [environmentId],
  );
}

/** Deletes at most `limit` logins of override URLs that no connection, session or unsent webhook uses. */
export async function deleteUnusedLogins(db: Knex, limit: number): Promise<number> {
  const { rowCount } = await db.raw(
    `delete from webhook_logins where id in (
       select l.id from webhook_logins l where l.of = 'connections' and l.created_at < now() - interval '1 day'
         and not exists (select from connections c where c.environment_id = l.environment_id and c.webhook_url_override = l.url)
         and not exists (select from connect_sessions s where s.environment_id = l.environment_id and s.webhook_url_override = l.url)
         and not exists (select from webhook_targets t join webhook_messages m on m.target_id = t.id
           where t.environment_id = l.environment_id and t.url = l.url and m.status in ('pending', 'paused'))
       limit ?)`,
    [limit],
  );
  return rowCount ?? 0;
}
