import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { publicRoutes } from '../core/api/routes.ts';
import { docsPages, docsScript } from '../core/server/docs/docs-site.ts';
import { renderPage } from '../core/server/docs/layout.ts';
import { searchIndex } from '../core/server/docs/search-index.ts';
import { openApiDocument } from '../core/server/openapi/document.ts';
import { readBuiltUi } from '../core/server/pages/built-ui.ts';
import { buildUi } from './build.ts';
import { DIST } from './pipeline/manifest.ts';
import { PROJECT } from './pipeline/sources.ts';

const FOLDER = join(PROJECT, 'dist/docs');
/** The address in the examples of the reference: that of a service on the reader's own machine. */
const BASE_URL = 'http://localhost:3003';

/** Writes the pages below `/docs` as files that any file server can serve, at any path. Their links are relative. */
export async function buildDocs(folder: string): Promise<void> {
  await buildUi();
  const ui = readBuiltUi(DIST);
  const document = openApiDocument(publicRoutes, BASE_URL);
  const pages = docsPages(document, ui);
  const script = docsScript(ui);
  const write = (file: string, content: string | Buffer) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  };
  for (const page of pages) {
    const file = fileOf(`docs/${page.path}`);
    const addressOf = (path: string) => posix.relative(posix.dirname(file), fileOf(path));
    write(file, renderPage(page, pages, { addressOf, scriptUrl: script && addressOf(script), hasDashboard: false }).body);
  }
  write('search.json', JSON.stringify(searchIndex(pages, fileOf)));
  write('openapi.json', JSON.stringify(document));
  for (const [name, { content }] of ui?.files ?? []) if (name.startsWith('docs/assets/')) write(fileOf(name), content);
}

/** Returns the file for a path of the service. */
function fileOf(path: string): string {
  const name = path.replace(/^docs\/?/, '');
  if (name === '') return 'index.html';
  return posix.extname(name) === '' ? `${name}.html` : name;
}

if (import.meta.main) {
  rmSync(FOLDER, { recursive: true, force: true });
  await buildDocs(FOLDER);
  console.error(`built ${FOLDER}`);
}
