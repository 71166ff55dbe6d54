import type { Knex } from 'knex';
import { LANGUAGE_TAGS } from '../../kit/language.ts';
import { type Brand, type BrandLogo, LOGO_TYPES, type LogoType, THEMES } from './brand.ts';
import type { EnvironmentRow } from './environment-row.ts';

/** Maximum number of entries in each of the lists of addresses. */
export const MAX_ADDRESSES = 100;

/** The settings of an environment for the pages on which end users connect. */
export interface ConnectSettings {
  /** Origins of the pages that may open the connect window; empty means any. */
  readonly allowedOrigins: readonly string[];
  /** Addresses below which a session's `return_url` may be; empty means none. */
  readonly returnUrls: readonly string[];
  readonly brand: Brand;
}

const COLUMNS = [
  'allowed_origins',
  'return_urls',
  'brand_name',
  'brand_logo_type',
  'brand_logo_hash',
  'brand_color',
  'brand_radius',
  'brand_theme',
  'brand_language',
] as const;

type SettingsRow = Pick<EnvironmentRow, (typeof COLUMNS)[number]>;

/** The settings to change; absent ones stay unchanged. */
export type ConnectSettingsChanges = Partial<SettingsRow & Pick<EnvironmentRow, 'brand_logo'>>;

export async function connectSettingsOf(db: Knex, environmentId: number): Promise<ConnectSettings> {
  const row: SettingsRow | undefined = await live(db).where({ id: environmentId }).first(COLUMNS);
  const { brand_logo_hash: hash = null, brand_logo_type: type = null } = row ?? {};
  return {
    allowedOrigins: row?.allowed_origins ?? [],
    returnUrls: row?.return_urls ?? [],
    brand: {
      name: row?.brand_name ?? null,
      logo: hash === null || !isLogoType(type) ? null : { hash, type },
      color: row?.brand_color ?? null,
      radius: row?.brand_radius ?? null,
      theme: THEMES.find((theme) => theme === row?.brand_theme) ?? 'system',
      language: LANGUAGE_TAGS.find((language) => language === row?.brand_language) ?? null,
    },
  };
}

export async function updateConnectSettings(db: Knex, environmentId: number, changes: ConnectSettingsChanges): Promise<void> {
  if (Object.keys(changes).length > 0) await live(db).where({ id: environmentId }).update(changes);
}

/** @returns undefined unless the environment has this logo now */
export async function brandLogo(db: Knex, environmentUuid: string, { hash, type }: BrandLogo): Promise<Buffer | undefined> {
  const row = await live(db).where({ uuid: environmentUuid, brand_logo_hash: hash, brand_logo_type: type }).first('brand_logo');
  return row?.brand_logo ?? undefined;
}

function isLogoType(text: string | null): text is LogoType {
  return LOGO_TYPES.some((type) => type === text);
}

function live(db: Knex): Knex.QueryBuilder<EnvironmentRow, EnvironmentRow[]> {
  return db<EnvironmentRow>('environments').whereNull('deleted_at');
}
