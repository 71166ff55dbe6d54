import { join } from 'node:path';
import type { ProviderPlugin, WebhookRules } from '#contract';
import type { Catalogue, Fault, Provider } from '../catalogue/catalogue.ts';
import { ServiceError } from '../errors.ts';
import type { LoadedPlugins } from './load.ts';

const STANDARD = 'generic-oauth';

/** Which code serves a provider. */
export interface Plugins {
  /** @throws ServiceError `server_error` for a provider whose plugin could not be loaded: no other may stand in for it */
  of(slug: string): ProviderPlugin;
  /** The webhook part, made for this provider. @throws ServiceError as `of` */
  webhookRules(slug: string): WebhookRules | undefined;
  /** Those of loading, and one for each provider without its plugin. */
  readonly faults: readonly Fault[];
}

/** Gives each provider the plugin its definition names, else that of its own folder, else the standard one. */
export function joinPlugins(catalogue: Catalogue, loaded: LoadedPlugins): Plugins {
  const broken = new Set(loaded.faults.map((fault) => fault.folder));
  const pluginOf = (provider: Provider): ProviderPlugin | undefined => loaded.plugins.get(pluginName(provider, loaded, broken));
  const find = (slug: string): { provider: Provider; plugin: ProviderPlugin } => {
    const provider = catalogue.find(slug);
    const plugin = provider && pluginOf(provider);
    if (provider === undefined || plugin === undefined) {
      throw new ServiceError('server_error', `the provider "${slug}" cannot be used: it could not be loaded`);
    }
    return { provider, plugin };
  };
  const orphans = catalogue.list().filter((provider) => pluginOf(provider) === undefined);
  return {
    of: (slug) => find(slug).plugin,
    webhookRules: (slug) => {
      const { provider, plugin } = find(slug);
      return typeof plugin.webhook === 'function' ? plugin.webhook({ slug, definition: provider.definition }) : plugin.webhook;
    },
    faults: [...loaded.faults, ...orphans.map((provider) => orphanFault(provider, pluginName(provider, loaded, broken)))],
  };
}

/** A folder whose own plugin is broken keeps its name: the standard plugin would, for one, not verify its webhooks. */
function pluginName({ slug, definition }: Provider, { plugins }: LoadedPlugins, broken: ReadonlySet<string>): string {
  if (definition.plugin !== undefined) return definition.plugin;
  return plugins.has(slug) || broken.has(slug) ? slug : STANDARD;
}

function orphanFault({ slug, directory }: Provider, plugin: string): Fault {
  return { folder: slug, file: join(directory, 'provider.json'), reason: `its plugin "${plugin}" is not loaded` };
}
