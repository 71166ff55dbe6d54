import { realpath } from 'node:fs/promises';
import { type ResolveFnOutput, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const PROJECT = new URL('../../../', import.meta.url).href;
const CONTRACT = new URL('../../contract/index.ts', import.meta.url).href;

/**
 * Folders of plugins outside the project, as URLs that end with a slash. Module hooks belong to the whole process, hence so does
 * this.
 */
const offeredTo = new Set<string>();

/**
 * Makes `#contract` resolve to `core/contract` for plugins outside the project, which have no package.json of the project above
 * them, and makes Node read their `.ts` files as modules. Plugins inside the project need none of this.
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
 * Returns the URL of the real path, since the loader names modules by it. A folder that is missing is reported when it is listed.
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
