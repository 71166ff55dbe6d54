import { parseArgs } from 'node:util';
import { BUNDLED_PLUGINS, BUNDLED_PROVIDERS } from '../catalogue/bundled-folders.ts';
import { type Catalogue, type Provider, readCatalogue } from '../catalogue/catalogue.ts';
import { hasAnswered, type ProbedMember, probeDefinition } from '../catalogue/probe/probe-definition.ts';
import type { Config } from '../config/schema.ts';
import { storeProbe } from '../connections/integrations/provider-probe-store.ts';
import { systemClock } from '../kit/clock.ts';
import { didYouMean } from '../kit/did-you-mean.ts';
import { createOutbound } from '../kit/outbound.ts';
import { outboundProxyOf } from '../operate/outbound-proxy.ts';
import { openContext } from './command-context.ts';
import { commandError, printList, usageError } from './output.ts';

const OPTIONS = { json: { type: 'boolean' } } as const;

/**
 * `provider probe [SLUG …]`: calls the addresses that definitions state, without credentials, and notes which providers respond
 * as stated.
 *
 * @throws CommandError when one does not, or a slug is unknown
 */
export async function providerCommand([action, ...args]: readonly string[]): Promise<void> {
  if (action !== 'probe') throw usageError('provider probe [SLUG …] (see docs/command-line.md)');
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  await using context = await openContext();
  const providers = wanted(await catalogueOf(context.config), positionals);
  await using outbound = createOutbound({ allow: context.config.SVC_OUTBOUND_ALLOW, proxy: outboundProxyOf(context.config) });
  const failed: string[] = [];
  for (const provider of providers) {
    const probed = await probeDefinition({ outbound, now: () => systemClock.now() }, provider);
    await storeProbe(context.db, provider, hasAnswered(probed));
    print(provider, probed, values.json === true);
    if (probed.some(({ outcome }) => outcome === 'failed')) failed.push(provider.slug);
  }
  if (failed.length > 0) throw commandError(`these providers did not respond as their definitions say: ${failed.join(', ')}`);
}

function catalogueOf({ SVC_PROVIDERS_DIR, SVC_PLUGINS_DIR }: Config): Promise<Catalogue> {
  return readCatalogue([...SVC_PROVIDERS_DIR, ...SVC_PLUGINS_DIR], [BUNDLED_PROVIDERS, BUNDLED_PLUGINS]);
}

/** Returns the named providers, or all if none is named. @throws CommandError when a slug is unknown */
function wanted(catalogue: Catalogue, slugs: readonly string[]): readonly Provider[] {
  // A sandbox exists only inside the service, which plays the provider.
  if (slugs.length === 0) return catalogue.list().filter(({ definition }) => definition.sandbox !== true);
  return slugs.map((slug) => {
    const provider = catalogue.find(slug);
    if (provider === undefined) throw commandError(`there is no provider "${slug}"${suggestion(catalogue, slug)}`);
    return provider;
  });
}

function suggestion(catalogue: Catalogue, slug: string): string {
  const meant = didYouMean(
    slug,
    catalogue.list().map((provider) => provider.slug),
  );
  return meant === undefined ? '' : `; did you mean "${meant}"?`;
}

function print({ slug }: Provider, probed: readonly ProbedMember[], asJson: boolean): void {
  if (asJson) console.log(JSON.stringify({ provider: slug, probed }));
  else
    printList(
      probed.map(({ member, outcome, reason = '' }) => ({ slug, member, outcome, reason })),
      false,
    );
}
