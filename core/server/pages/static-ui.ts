import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fill } from '../../kit/language.ts';
import { mediaTypeOf } from '../bodies/media-type.ts';
import type { PlainRoute } from '../route.ts';
import { html } from './html.ts';
import { pagePolicy } from './page-policy.ts';

interface StaticLanguage {
  /** BCP 47 tag. */
  readonly tag: string;
  readonly texts: Readonly<Record<string, string>>;
}

interface StaticFile {
  /** The path at which it is served. */
  readonly path: string;
  /** Its name in the folder; never taken from a request. */
  readonly file: string;
  /** For a page: what people see when it cannot be shown. */
  readonly errorPage?: PlainRoute<unknown>['errorPage'];
  /** For a page in several languages, whose file has `{names}` in place of its texts. @param acceptLanguage the header */
  readonly language?: (acceptLanguage: string | undefined) => StaticLanguage;
}

/** Returns one public route for each file of the list; files that are not on the list are not served. */
export function staticRoutes(folder: string, files: readonly StaticFile[]): PlainRoute<unknown>[] {
  return files.map(({ path, file, errorPage, language }) => {
    const type = mediaTypeOf(file);
    const isPage = extname(file) === '.html';
    // A page names its assets, so it must be fresh; an asset that is outdated for five minutes does no harm.
    const headers = isPage
      ? {
          'content-security-policy': pagePolicy({ frameAncestors: "'none'" }),
          'cache-control': 'no-cache',
          ...(language !== undefined && { vary: 'Accept-Language' }),
        }
      : { 'cache-control': 'public, max-age=300' };
    return {
      method: 'GET',
      path,
      access: 'public',
      ...(isPage && { isPage }),
      ...(errorPage !== undefined && { errorPage }),
      summary: `Get the file ${file} of the user interface`,
      tag: 'User interface',
      responses: { 200: { description: 'The file.', type } },
      handle: async (_, request) => {
        const content = await readFile(join(folder, file));
        const chosen = language?.(request.headers['accept-language']);
        return { type, headers, body: chosen === undefined ? content : filled(content.toString(), chosen) };
      },
    };
  });
}

function filled(page: string, { tag, texts }: StaticLanguage): string {
  const escaped = Object.entries(texts).map(([name, text]) => [name, html`${text}`.text]);
  return fill(page.replace('<html lang="en">', `<html lang="${tag}">`), Object.fromEntries(escaped));
}
