import type { Knex } from 'knex';

interface CompanyLogoRow {
  readonly domain: string;
  /** The image; null when none was found. */
  readonly image: Buffer | null;
  readonly fetched_at: Date;
}

/**
 * Returns whether an environment has a connection whose user has an e-mail address in a domain. Uses the index
 * `connections_email_domain`.
 */
export async function hasEmailDomain(db: Knex, environmentId: number, domain: string): Promise<boolean> {
  const row: unknown = await db('connections')
    .where({ environment_id: environmentId })
    .whereNull('deleted_at')
    .whereRaw(`(tags ->> 'end_user_email') is not null`)
    .whereRaw(`lower(substring(tags ->> 'end_user_email' from '@([^@]+)$')) = ?`, [domain])
    .first('id');
  return row !== undefined;
}

/** Reads the stored result of fetching a domain's logo, unless it is older than `days` days. */
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
