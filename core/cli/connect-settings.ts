import { readFile, stat } from 'node:fs/promises';
import { ServiceError } from '../errors.ts';
import { LANGUAGE_TAGS } from '../kit/language.ts';
import { brandLogoUrl, isBrandName, isColor, MAX_RADIUS, THEMES, textOnColor } from '../tenants/environments/brand.ts';
import { logoChanges, MAX_LOGO_BYTES, NO_LOGO } from '../tenants/environments/brand-logo.ts';
import {
  type ConnectSettings,
  type ConnectSettingsChanges,
  MAX_ADDRESSES,
} from '../tenants/environments/connect-settings-store.ts';
import type { Environment } from '../tenants/environments/environment-store.ts';
import { readOrigin } from '../tenants/environments/origins.ts';
import { readReturnPrefix } from '../tenants/environments/return-urls.ts';
import { commandError, usageError } from './output.ts';

type FlagReader = (text: string) => Promise<ConnectSettingsChanges>;

/** The flags for the pages on which end users connect; an empty value clears the setting. */
const FLAGS: Readonly<Record<string, FlagReader>> = {
  'allowed-origins': async (text) => ({
    allowed_origins: readList(
      text,
      readOrigin,
      '--allowed-origins must be origins such as https://app.example.com, without path',
    ),
  }),
  'return-urls': async (text) => ({
    return_urls: readList(
      text,
      readReturnPrefix,
      '--return-urls must be https URLs (http on localhost) such as https://app.example.com/settings, without query',
    ),
  }),
  'brand-name': async (text) => ({ brand_name: checked(text, isBrandName, '--brand-name must have 1 to 100 characters') }),
  'brand-logo': readLogo,
  'brand-color': async (text) => {
    const color = checked(text, isColor, '--brand-color must be #rrggbb, such as #0a7d4f');
    return { brand_color: color?.toLowerCase() ?? null };
  },
  'brand-radius': async (text) => {
    const fault = `--brand-radius must be a whole number from 0 to ${MAX_RADIUS}, of pixels`;
    const radius = checked(text, (given) => /^\d{1,2}$/.test(given) && Number(given) <= MAX_RADIUS, fault);
    return { brand_radius: radius === null ? null : Number(radius) };
  },
  'brand-theme': async (text) => ({ brand_theme: oneOf(THEMES, text, '--brand-theme') }),
  'brand-language': async (text) => ({ brand_language: oneOf(LANGUAGE_TAGS, text.toLowerCase(), '--brand-language') }),
};

export const CONNECT_FLAGS = Object.keys(FLAGS);

/**
 * Returns the changes that the flags describe.
 *
 * @throws CommandError when a value is invalid, or the logo's file cannot be read
 */
export async function connectSettingsChanges(values: Readonly<Record<string, unknown>>): Promise<ConnectSettingsChanges> {
  const changes: ConnectSettingsChanges[] = [];
  for (const [flag, read] of Object.entries(FLAGS)) {
    const value = values[flag];
    if (value !== undefined) changes.push(await read(String(value)));
  }
  return Object.assign({}, ...changes);
}

/** Returns the settings as `env get` shows them. */
export function describeConnectSettings(
  { allowedOrigins, returnUrls, brand }: ConnectSettings,
  { uuid }: Environment,
  baseUrl: string,
): Record<string, unknown> {
  const { name, logo, color, radius, theme, language } = brand;
  return {
    allowed_origins: allowedOrigins,
    return_urls: returnUrls,
    brand: {
      name,
      logo_url: logo && brandLogoUrl(baseUrl, uuid, logo),
      color,
      ...textOnColor(color),
      radius,
      theme,
      language,
    },
  };
}

function checked(text: string, fits: (text: string) => boolean, fault: string): string | null {
  if (text === '') return null;
  if (!fits(text)) throw usageError(`${fault}, or empty to clear it`);
  return text;
}

function oneOf(choices: readonly string[], text: string, flag: string): string | null {
  return checked(text, (given) => choices.includes(given), `${flag} must be ${choices.join(', ')}`);
}

function readList(text: string, read: (entry: string) => string | undefined, fault: string): string[] | null {
  if (text === '') return null;
  const entries = text.split(',').map((entry) => entry.trim());
  const values = entries.map((entry) => {
    const value = read(entry);
    if (value === undefined) throw usageError(`${fault}, separated by commas, or empty to clear them: "${entry}"`);
    return value;
  });
  if (values.length > MAX_ADDRESSES) throw usageError(`at most ${MAX_ADDRESSES} entries are possible`);
  return [...new Set(values)];
}

async function readLogo(path: string): Promise<ConnectSettingsChanges> {
  if (path === '') return NO_LOGO;
  const bytes = await readSmallFile(path);
  try {
    return logoChanges(bytes, path);
  } catch (error) {
    // The flag is valid but the file is not, so this is no usage error.
    throw error instanceof ServiceError ? commandError(error.message) : error;
  }
}

async function readSmallFile(path: string): Promise<Buffer> {
  try {
    if ((await stat(path)).size <= MAX_LOGO_BYTES) return await readFile(path);
  } catch (cause) {
    throw commandError(`${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  throw commandError(`${path} is larger than ${MAX_LOGO_BYTES / 1024} KB`);
}
