import { join } from 'node:path';
import type { ProviderPlugin, WebhookRules } from '#contract';
import { uncalledHooks } from '../../auth-modes/uncalled-hooks.ts';
import { ServiceError } from '../../errors.ts';
import { type Catalogue, type Fault, type Provider, publicReasonOf } from '../catalogue.ts';
import { declaredRules } from '../webhooks/declared-webhook.ts';
import { declaredHandshakes, type Handshake } from '../webhooks/handshakes.ts';
import type { LoadedPlugins } from './load.ts';
import { checkWebhookRules, PluginFault } from './read-plugin.ts';

const STANDARD = 'generic-oauth';

/** The plugins that serve the providers. */
export interface Plugins {
  /**
   * Returns the provider's plugin.
   *
   * @throws ServiceError `server_error` for a provider whose plugin could not be loaded, since no other plugin may serve it
   */
  of(slug: string): ProviderPlugin;
  /**
   * Returns the plugin's webhook part, created for this provider, else the rules that the definition declares.
   *
   * @throws ServiceError as `of`
   */
  webhookRules(slug: string): WebhookRules | undefined;
  /** Returns the handshakes of the definition, also for a provider whose plugin has a webhook part. */
  handshakes(slug: string): readonly Handshake[];
  /** The faults found when plugins were loaded, and one for each provider that is left without a plugin. */
  readonly faults: readonly Fault[];
  /** The reasons why providers have no plugin, by slug, in words for callers of the API. */
  readonly unusable: ReadonlyMap<string, string>;
}

/** A plugin with its rules for one provider's webhooks. */
interface LoadedPlugin {
  readonly plugin: ProviderPlugin;
  readonly webhook: WebhookRules | undefined;
  readonly handshakes: readonly Handshake[];
}

/** Assigns to each provider the plugin that its definition names, else the one of its own folder, else the standard one. */
export function joinPlugins(catalogue: Catalogue, loaded: Pick<LoadedPlugins, 'plugins' | 'faults'>): Plugins {
  const broken = new Set(loaded.faults.map((fault) => fault.folder));
  const served = new Map<string, LoadedPlugin>();
  const unusable = new Map<string, string>();
  const faults = [...loaded.faults];
  for (const provider of catalogue.list()) {
    const name = pluginName(provider, loaded, broken);
    const plugin = loaded.plugins.get(name);
    const found =
      plugin === undefined ? `its plugin "${name}" is not loaded` : (misfit(provider, plugin, name) ?? serve(provider, plugin));
    if (typeof found !== 'string') {
      served.set(provider.slug, found);
      continue;
    }
    faults.push(orphanFault(provider, found));
    const cause = plugin === undefined ? loaded.faults.find(({ folder }) => folder === name) : undefined;
    unusable.set(provider.slug, cause === undefined ? found : publicReasonOf(cause));
  }
  const find = (slug: string): LoadedPlugin => {
    const one = served.get(slug);
    if (one !== undefined) return one;
    throw new ServiceError('server_error', `the provider "${slug}" cannot be used: it could not be loaded`);
  };
  return {
    of: (slug) => find(slug).plugin,
    webhookRules: (slug) => find(slug).webhook,
    handshakes: (slug) => find(slug).handshakes,
    faults,
    unusable,
  };
}

/**
 * @returns a sentence if the plugin has hooks that the provider's auth mode never calls; undefined if not, and for the standard
 *   plugin, which serves every auth mode
 */
function misfit({ definition }: Provider, { auth }: ProviderPlugin, name: string): string | undefined {
  const uncalled = name === STANDARD ? [] : uncalledHooks(definition, auth);
  if (uncalled.length === 0) return undefined;
  return `its plugin has ${uncalled.join(' and ')}, which ${definition.auth_mode} never calls for this definition`;
}

/** @returns a sentence when the webhook part that the plugin creates for the provider is wrong */
function serve({ slug, definition }: Provider, plugin: ProviderPlugin): LoadedPlugin | string {
  const handshakes = declaredHandshakes(definition);
  if (typeof plugin.webhook !== 'function') return { plugin, webhook: plugin.webhook ?? declaredRules(definition), handshakes };
  try {
    const webhook: unknown = plugin.webhook({ slug, definition });
    checkWebhookRules(webhook);
    return { plugin, webhook, handshakes };
  } catch (error) {
    return error instanceof PluginFault ? error.message : 'its plugin throws when its webhook part is created';
  }
}

/**
 * Returns the name of the plugin that serves a provider. A provider's own plugin is named even if it is broken: the standard
 * plugin would, for example, not verify the provider's webhooks.
 */
function pluginName(
  { slug, definition }: Provider,
  { plugins }: Pick<LoadedPlugins, 'plugins'>,
  broken: ReadonlySet<string>,
): string {
  if (definition.plugin !== undefined) return definition.plugin;
  return plugins.has(slug) || broken.has(slug) ? slug : STANDARD;
}

function orphanFault({ slug, directory }: Provider, reason: string): Fault {
  return { folder: slug, file: join(directory, 'provider.json'), reason, publicReason: reason };
}
