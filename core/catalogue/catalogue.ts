import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sandboxAt } from '#contract';
import { errorCode } from '../kit/error-code.ts';
import { AUTH_WORDS } from './auth-words.ts';
import { type Fault, publicReasonOf, type Replacement } from './folders.ts';
import { type Provider, readProviders, type SharedApp } from './read-providers.ts';

export { type Fault, publicReasonOf, type Replacement } from './folders.ts';
export type { Provider, SharedApp } from './read-providers.ts';

const MAX_LOGO_BYTES = 65_536;

/** The providers of this service. */
export interface Catalogue {
  find(slug: string): Provider | undefined;
  /** In the order of their slugs; with `search`, those of which it is a part of the slug, the name, a category or the auth mode. */
  list(search?: string): readonly Provider[];
  /** The provider's SVG; undefined when it has none, or an unreasonably large one. */
  logo(slug: string): Promise<Buffer | undefined>;
  readonly faults: readonly Fault[];
  /** Bundled providers whose place the operator's own took. */
  readonly replacements: readonly Replacement[];
}

/**
 * @param dirs folders of providers and plugins; of two equal slugs the one in the earlier folder counts
 * @param bundled those that come with the service; they give way to any of `dirs`
 */
export async function readCatalogue(dirs: readonly string[], bundled: readonly string[] = []): Promise<Catalogue> {
  return catalogueOf(readProviders(dirs, bundled));
}

/** The same providers, some of them unusable. @param reasons by slug */
export function withUnusable(catalogue: Catalogue, reasons: ReadonlyMap<string, string>): Catalogue {
  const providers = catalogue.list().map((provider) => {
    const unusable = reasons.get(provider.slug);
    return unusable === undefined ? provider : { ...provider, unusable };
  });
  return catalogueOf({ ...catalogue, providers });
}

/** Why a provider could not be loaded, for callers; undefined: there is no such folder. */
export function whyMissing({ faults }: Catalogue, slug: string): string | undefined {
  const fault = faults.find(({ folder }) => folder === slug);
  return fault && publicReasonOf(fault);
}

/** The same providers, those with a shared app knowing it. */
export function withSharedApps(catalogue: Catalogue, apps: ReadonlyMap<string, SharedApp>): Catalogue {
  const providers = catalogue.list().map((provider) => {
    const sharedApp = apps.get(provider.slug);
    return sharedApp === undefined ? provider : { ...provider, sharedApp };
  });
  return catalogueOf({ ...catalogue, providers });
}

/** The same providers, those that the service plays at their addresses here. @param sharedApp of all of them */
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
    logo: async (slug) => readLogo(bySlug.get(slug)),
    faults,
    replacements,
  };
}

/** In the words of files, and in those of pages: "dev-tools" and "Dev tools", "API_KEY" and "API key". */
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
