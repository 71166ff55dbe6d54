import { fileURLToPath } from 'node:url';
import { staticRoutes } from '../http/static-ui.ts';
import { refusalPage } from './result-page.ts';

const FOLDER = fileURLToPath(new URL('../../ui/connect/', import.meta.url));

/** The page behind a connect link. */
export const connectPageRoutes = staticRoutes(FOLDER, [
  { path: '/connect/l', file: 'link.html', errorPage: refusalPage },
  { path: '/connect/link.js', file: 'link.js' },
  { path: '/connect/direct.js', file: 'direct.js' },
  { path: '/connect/fields.js', file: 'fields.js' },
  { path: '/connect/element.js', file: 'element.js' },
  { path: '/connect/page.css', file: 'page.css' },
]);
