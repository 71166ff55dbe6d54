import { BUNDLED_PLUGINS, BUNDLED_PROVIDERS } from './catalogue/bundled-folders.ts';
import {
  type Catalogue,
  type Fault,
  readCatalogue,
  withDemoProvider,
  withSharedApps,
  withUnusable,
} from './catalogue/catalogue.ts';
import { loadPlugins } from './catalogue/plugins/load.ts';
import { joinPlugins, type Plugins } from './catalogue/plugins/plugins.ts';
import type { Config } from './config/schema.ts';
import { exposedApps, readSharedApps } from './connections/integrations/shared-apps.ts';
import { demoApp } from './demo-provider/client.ts';
import type { KeyRing } from './kit/key-ring.ts';
import type { Logger } from './kit/logger.ts';

/**
 * Reads providers and plugins. Those that cannot be used are left out and logged; the others are served.
 *
 * @throws SharedAppsFault if the file of `SVC_SHARED_APPS_FILE` cannot be used
 */
export async function readProviders(
  config: Config,
  keys: KeyRing,
  log: Logger,
): Promise<{ catalogue: Catalogue; plugins: Plugins }> {
  const read = await readCatalogue(
    [...config.SVC_PROVIDERS_DIR, ...config.SVC_PLUGINS_DIR],
    [BUNDLED_PROVIDERS, BUNDLED_PLUGINS],
  );
  const loaded = await loadPlugins(config.SVC_PLUGINS_DIR, [BUNDLED_PLUGINS]);
  const plugins = joinPlugins(read, loaded);
  for (const fault of [...read.faults, ...plugins.faults])
    log.error(`a provider or plugin could not be loaded: ${fault.folder}/${fault.file}`, shownFault(fault));
  for (const one of [...read.replacements, ...loaded.replacements])
    log.info('a folder of this installation replaces a bundled provider or plugin', { ...one });
  const catalogue = withDemoProvider(withUnusable(read, plugins.unusable), config.SVC_BASE_URL, demoApp(keys));
  const { SVC_SHARED_APPS_FILE: appsFile } = config;
  if (appsFile === undefined) return { catalogue, plugins };
  const apps = await readSharedApps(appsFile, catalogue);
  for (const provider of exposedApps(catalogue, apps))
    log.warn(
      'the secret of this shared app is sent to a host that is a setting of the integration: anyone who may create integrations can read it',
      { provider },
    );
  return { catalogue: withSharedApps(catalogue, apps), plugins };
}

function shownFault({ publicReason: _, ...fault }: Fault) {
  return fault;
}
