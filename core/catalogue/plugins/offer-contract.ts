import { realpath } from 'node:fs/promises';
import { type ResolveFnOutput, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const PROJECT = new URL('../../../', import.meta.url).href;
const CONTRACT = new URL('../../contract/index.ts', import.meta.url).href;

/**
 * Folders of plugins outside the project, as URLs that end with a slash. Module hooks apply to the whole process, so this set
 * does, too.
 */
const offeredTo = new Set<string>();

/**
 * Makes `#contract` resolve to `core/contract` for plugins outside the project, which do not lie below the project's
 * package.json, and makes Node read their `.ts` files as modules. Plugins inside the project need neither.
 */
export async function offerContract(dirs: readonly string[]): Promise<void> {
  const isFirst = offeredTo.size === 0;
  for (const dir of dirs) {
    const url = await urlOf(dir);
    if (url !== undefined && !url.startsWith(PROJECT)) offeredTo.add(url);
  }
  if (isFirst && offeredTo.size > 0) registerHooks({ resolve });
}

/**
 * Returns the URL of the folder's real path, by which the loader identifies modules; undefined for a missing folder, which is
 * reported when plugins are listed.
 */
async function urlOf(dir: string): Promise<string | undefined> {
  const path = await realpath(dir).catch(() => undefined);
  return path === undefined ? undefined : `${pathToFileURL(path).href}/`;
}

type Resolve = NonNullable<Parameters<typeof registerHooks>[0]['resolve']>;

function resolve(specifier: string, context: Parameters<Resolve>[1], nextResolve: Parameters<Resolve>[2]): ResolveFnOutput {
  if (specifier === '#contract' && isOutside(context.parentURL)) return { url: CONTRACT, shortCircuit: true };
  const resolved = nextResolve(specifier, context);
  return isOutside(resolved.url) && resolved.url.endsWith('.ts') ? { ...resolved, format: 'module-typescript' } : resolved;
}

function isOutside(url: string | undefined): boolean {
  return url !== undefined && [...offeredTo].some((folder) => url.startsWith(folder));
}
