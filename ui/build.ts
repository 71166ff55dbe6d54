import { performance } from 'node:perf_hooks';
import { stripVTControlCharacters } from 'node:util';
import { DIST, type Manifest, readManifest } from './pipeline/manifest.ts';
import { publish } from './pipeline/publish.ts';
import { hashOfSources } from './pipeline/sources.ts';

/**
 * Builds the browser code into `ui/dist/`, unless the existing build was created from the same sources. Vite is loaded only if a
 * build is needed.
 *
 * @param always true to build even if the existing build is up to date
 * @returns undefined if it was up to date
 */
export async function buildUi({ always = false, dist = DIST } = {}): Promise<Manifest | undefined> {
  const sources = hashOfSources();
  if (!always && readManifest(dist)?.sources === sources) return undefined;
  const { bundle } = await import('./pipeline/bundle.ts').catch(explainMissing);
  return publish({ dist, sources, write: bundle });
}

/**
 * Throws an error that explains how to get Vite if it is missing. Vite is a development dependency: releases contain the built
 * pages and do not need it.
 */
function explainMissing(error: unknown): never {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
  if (!isMissing) throw error;
  throw new Error(
    'a development dependency is missing: run "npm ci" without --omit=dev, or bring ui/dist from where it was built',
  );
}

async function main(): Promise<void> {
  const started = performance.now();
  const isAsked = process.argv.includes('--always');
  const made = await buildUi({ always: isAsked });
  if (made === undefined) return;
  // Written to standard error, since standard output is the service's log.
  console.error(`built ui/dist in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  if (!isAsked) return;
  for (const [path, { gzip }] of Object.entries(made.files)) console.error(`${String(gzip).padStart(7)} B gzip  ${path}`);
  console.error(`sdk/v1.js ${made.sdk.version}: integrity="${made.sdk.integrity}"`);
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    console.error(`svc: the pages cannot be built: ${stripVTControlCharacters(message)}`);
    process.exitCode = 1;
  }
}
