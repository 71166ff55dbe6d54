import type { Knex } from 'knex';

export interface CompanyLogoRow {
  readonly domain: string;
  /** Null: there was none to be had. */
  readonly image: Buffer | null;
  readonly fetched_at: Date;
}

/** Whether an environment has a connection whose user has an e-mail of a domain. Uses `connections_email_domain`. */
export async function hasEmailDomain(db: Knex, environmentId: number, domain: string): Promise<boolean> {
  const row: unknown = await db('connections')
    .where({ environment_id: environmentId })
    .whereNull('deleted_at')
    .whereRaw(`(tags ->> 'end_user_email') is not null`)
    .whereRaw(`lower(substring(tags ->> 'end_user_email' from '@([^@]+)$')) = ?`, [domain])
    .first('id');
  return row !== undefined;
}

/** What was fetched within so many days. */
export function recentLogo(db: Knex, domain: string, days: number): Promise<Pick<CompanyLogoRow, 'image'> | undefined> {
  return db<CompanyLogoRow>('company_logos')
    .where({ domain })
    .whereRaw(`fetched_at > clock_timestamp() - make_interval(days => ?)`, [days])
    .first('image');
}

export async function storeLogo(db: Knex, domain: string, image: Buffer | null): Promise<void> {
  await db<CompanyLogoRow>('company_logos')
    .insert({ domain, image, fetched_at: db.raw('clock_timestamp()') as never })
    .onConflict('domain')
    .merge();
}
