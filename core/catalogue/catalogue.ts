import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Fault, systemCode } from './folders.ts';
import { type Provider, readProviders, type SharedApp } from './read-providers.ts';

export type { Fault } from './folders.ts';
export type { Provider, SharedApp } from './read-providers.ts';

const MAX_LOGO_BYTES = 65_536;

/** The providers that this service knows. */
export interface Catalogue {
  find(slug: string): Provider | undefined;
  /** In the order of their slugs; with `search`, those whose slug or name holds it, in whatever case. */
  list(search?: string): readonly Provider[];
  /** The provider's SVG; undefined when it has none, or an unreasonably large one. */
  logo(slug: string): Promise<Buffer | undefined>;
  readonly faults: readonly Fault[];
}

/** @param dirs folders of providers and plugins; of two equal slugs the one in the earlier folder counts */
export async function readCatalogue(dirs: readonly string[]): Promise<Catalogue> {
  return catalogueOf(await readProviders(dirs));
}

/** The same providers, those with a shared app knowing it. */
export function withSharedApps(catalogue: Catalogue, apps: ReadonlyMap<string, SharedApp>): Catalogue {
  const providers = catalogue.list().map((provider) => {
    const sharedApp = apps.get(provider.slug);
    return sharedApp === undefined ? provider : { ...provider, sharedApp };
  });
  return catalogueOf({ providers, faults: catalogue.faults });
}

function catalogueOf({ providers, faults }: Awaited<ReturnType<typeof readProviders>>): Catalogue {
  const sorted = providers.toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
  const bySlug = new Map(sorted.map((provider) => [provider.slug, provider]));
  return {
    find: (slug) => bySlug.get(slug),
    list: (search = '') => sorted.filter((provider) => isNamed(provider, search.toLowerCase())),
    logo: async (slug) => readLogo(bySlug.get(slug)),
    faults,
  };
}

function isNamed({ slug, definition }: Provider, text: string): boolean {
  return slug.includes(text) || definition.display_name.toLowerCase().includes(text);
}

async function readLogo(provider: Provider | undefined): Promise<Buffer | undefined> {
  if (provider === undefined) return undefined;
  const file = join(provider.directory, 'logo.svg');
  try {
    return (await stat(file)).size > MAX_LOGO_BYTES ? undefined : await readFile(file);
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return undefined;
    throw cause;
  }
}
