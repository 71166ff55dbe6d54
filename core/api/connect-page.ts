import { fileURLToPath } from 'node:url';
import { AUTH_MODES } from '../auth-modes/index.ts';
import type { PlainRoute } from '../http/route.ts';
import { staticRoutes } from '../http/static-ui.ts';
import { refusalPage } from './result-page.ts';

const FOLDER = fileURLToPath(new URL('../../ui/connect/', import.meta.url));

/** The form of each auth mode with entered credentials: where it is sent, and its fields. */
const FORMS = Object.fromEntries(
  AUTH_MODES.flatMap(({ name, form }) => {
    if (form === undefined) return [];
    const { path, fields, hasDeclaredFields, empty } = form;
    return [[name, { path: path.slice(1), fields, hasDeclaredFields, empty }]];
  }),
);

const forms: PlainRoute<unknown> = {
  method: 'GET',
  path: '/connect/forms.js',
  access: 'public',
  summary: 'The forms of the auth modes, for the user interface',
  tag: 'User interface',
  responses: { 200: { description: 'The file.', type: 'text/javascript; charset=utf-8' } },
  handle: async () => ({
    type: 'text/javascript; charset=utf-8',
    headers: { 'cache-control': 'public, max-age=300' },
    body: `export const FORMS = ${JSON.stringify(FORMS)};\n`,
  }),
};

const files = staticRoutes(FOLDER, [
  { path: '/connect/l', file: 'link.html', errorPage: refusalPage },
  { path: '/connect/link.js', file: 'link.js' },
  { path: '/connect/direct.js', file: 'direct.js' },
  { path: '/connect/fields.js', file: 'fields.js' },
  { path: '/connect/element.js', file: 'element.js' },
  { path: '/connect/page.css', file: 'page.css' },
]);

/** The page behind a connect link. */
export const connectPageRoutes = [...files, forms];
