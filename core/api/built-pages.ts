import * as z from 'zod';
import { ServiceError } from '../errors.ts';
import { fileReply } from '../server/pages/packed-file.ts';
import { pageWithSettings } from '../server/pages/page-with-settings.ts';
import { defineRoute, type PlainRoute, type Reply } from '../server/route.ts';
import type { ApiServices } from './services.ts';

export const UI_TAG = 'User interface';
/** Browsers may cache assets forever, since the name of an asset changes with its content. */
const ASSET_HEADERS = { 'cache-control': 'public, max-age=31536000, immutable' };

export const NOT_BUILT: Reply = {
  status: 503,
  type: 'text/plain; charset=utf-8',
  body: 'The pages of this service have not been built. Run "npm run build:ui", then start the service again.\n',
};
export const NOT_BUILT_RESPONSE = { description: 'The pages have not been built.', type: 'text/plain' };

type PageServices = Pick<ApiServices, 'ui' | 'baseUrl'>;

interface BuiltPage {
  /** The file's name in `ui/dist`. */
  readonly file: string;
  readonly headers: NonNullable<Reply['headers']>;
  /** Settings for the page's scripts, in addition to the base URL. Anybody can read them. */
  readonly settings?: object;
  readonly status?: number;
}

/** Returns a page of `ui/dist` with its settings filled in. */
export function builtPage({ ui, baseUrl }: PageServices, { file: name, headers, settings, status = 200 }: BuiltPage): Reply {
  const file = ui?.files.get(name);
  if (file === undefined) return NOT_BUILT;
  const body = pageWithSettings(file.content.toString(), { baseUrl, settings: { base_url: baseUrl, ...settings } });
  return { status, type: file.type, headers, body };
}

/**
 * Returns the route that serves the scripts and style sheets of an app below `ui/`.
 *
 * @param what the app's name, as used in the API documentation and in errors
 */
export function assetsOf(app: 'connect' | 'dashboard' | 'docs', what: string): PlainRoute<Partial<Pick<ApiServices, 'ui'>>> {
  return defineRoute({
    method: 'GET',
    path: `/${app}/assets/:asset`,
    operationId: `get${app.charAt(0).toUpperCase()}${app.slice(1)}Asset`,
    access: 'public',
    summary: `Get a script or style sheet of ${what}`,
    tag: UI_TAG,
    params: z.strictObject({
      asset: z.string().meta({ description: 'file name, as the page references it', example: 'index-Dktnihs7.js' }),
    }),
    responses: {
      200: { description: 'The file.', type: 'text/javascript' },
      404: { description: 'There is no such file.' },
      503: NOT_BUILT_RESPONSE,
    },
    handle: async ({ ui }, { params, headers }) => {
      if (ui === undefined) return NOT_BUILT;
      const file = ui.files.get(`${app}/assets/${params.asset}`);
      if (file === undefined) throw new ServiceError('not_found', `${what} has no such file`);
      return fileReply(file, headers, ASSET_HEADERS);
    },
  });
}
