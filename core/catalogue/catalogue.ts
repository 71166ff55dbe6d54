import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sandboxAt } from '#contract';
import { errorCode } from '../kit/error-code.ts';
import { AUTH_WORDS } from './auth-words.ts';
import { type Fault, publicReasonOf, type Replacement } from './folders.ts';
import { monogramLogo } from './monogram-logo.ts';
import { type Provider, readProviders, type SharedApp } from './read-providers.ts';

export { type Fault, publicReasonOf, type Replacement } from './folders.ts';
export type { Provider, SharedApp } from './read-providers.ts';

/** A larger logo is not served. Those in `providers/` are smaller: a test keeps each below 20 kB. */
const MAX_LOGO_BYTES = 65_536;

/** The providers that this service knows. */
export interface Catalogue {
  find(slug: string): Provider | undefined;
  /**
   * Returns the providers sorted by slug. With `search`, returns only those that contain it in their slug, name, auth mode or one
   * of their categories.
   */
  list(search?: string): readonly Provider[];
  /** Returns the provider's logo as SVG; a monogram if it has none, or one larger than 64 KiB, and for a name without a provider. */
  logo(slug: string): Promise<Buffer>;
  readonly faults: readonly Fault[];
  /** Bundled providers that are replaced by the operator's own. */
  readonly replacements: readonly Replacement[];
}

/**
 * Reads all providers.
 *
 * @param dirs the operator's folders of providers and plugins; if a slug occurs twice, the earlier folder takes precedence
 * @param bundled the folders that come with the service, over which `dirs` take precedence
 */
export async function readCatalogue(dirs: readonly string[], bundled: readonly string[] = []): Promise<Catalogue> {
  return catalogueOf(readProviders(dirs, bundled));
}

/** Returns the catalogue with some providers marked as unusable. @param reasons the reasons by the providers' slugs */
export function withUnusable(catalogue: Catalogue, reasons: ReadonlyMap<string, string>): Catalogue {
  const providers = catalogue.list().map((provider) => {
    const unusable = reasons.get(provider.slug);
    return unusable === undefined ? provider : { ...provider, unusable };
  });
  return catalogueOf({ ...catalogue, providers });
}

/** Returns why a provider could not be loaded, in words that API callers may read; undefined if it has no folder. */
export function whyMissing({ faults }: Catalogue, slug: string): string | undefined {
  const fault = faults.find(({ folder }) => folder === slug);
  return fault && publicReasonOf(fault);
}

/** Returns the catalogue with the shared apps added to their providers. @param apps the shared apps by the providers' slugs */
export function withSharedApps(catalogue: Catalogue, apps: ReadonlyMap<string, SharedApp>): Catalogue {
  const providers = catalogue.list().map((provider) => {
    const sharedApp = apps.get(provider.slug);
    return sharedApp === undefined ? provider : { ...provider, sharedApp };
  });
  return catalogueOf({ ...catalogue, providers });
}

/**
 * Returns the catalogue with the addresses of demo providers, which the service itself plays, set to `baseUrl`.
 *
 * @param sharedApp the app that all of them share
 */
export function withDemoProvider(catalogue: Catalogue, baseUrl: string, sharedApp: SharedApp): Catalogue {
  const providers = catalogue.list().map((provider) => {
    const { definition } = provider;
    return definition.sandbox === true ? { ...provider, definition: sandboxAt(definition, baseUrl), sharedApp } : provider;
  });
  return catalogueOf({ ...catalogue, providers });
}

function catalogueOf({ providers, faults, replacements }: ReturnType<typeof readProviders>): Catalogue {
  const sorted = providers.toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
  const bySlug = new Map(sorted.map((provider) => [provider.slug, provider]));
  return {
    find: (slug) => bySlug.get(slug),
    list: (search = '') => sorted.filter((provider) => isFound(provider, search.toLowerCase())),
    logo: async (slug) => {
      const provider = bySlug.get(slug);
      return (await readLogo(provider)) ?? monogramLogo(provider?.definition.display_name ?? slug);
    },
    faults,
    replacements,
  };
}

/** Searches names as they are written in files and as pages show them: "dev-tools" and "Dev tools", "API_KEY" and "API key". */
function isFound({ slug, definition }: Provider, text: string): boolean {
  const { display_name: name, categories = [], auth_mode: mode } = definition;
  const spaced = categories.map((category) => category.replaceAll('-', ' '));
  return [slug, name, ...categories, ...spaced, mode, AUTH_WORDS[mode] ?? ''].some((word) => word.toLowerCase().includes(text));
}

async function readLogo(provider: Provider | undefined): Promise<Buffer | undefined> {
  if (provider === undefined) return undefined;
  const file = join(provider.directory, 'logo.svg');
  try {
    return (await stat(file)).size > MAX_LOGO_BYTES ? undefined : await readFile(file);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return undefined;
    throw cause;
  }
}
