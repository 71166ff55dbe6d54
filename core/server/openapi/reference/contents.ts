import { html, type Markup } from '../../pages/html.ts';
import type { OpenApiDocument } from '../model.ts';
import { type Entry, entriesOfTag, tagAnchor } from './entries.ts';
import { breakable } from './prose.ts';

/** The page's own navigation; on a narrow screen it is folded. It scrolls by itself, so the keyboard must reach it. */
export function contentsOf({ tags, components }: OpenApiDocument, entries: readonly Entry[]): Markup {
  return html`<nav aria-label="Contents" tabindex="0"><details><summary>Contents</summary>
<ul>
<li><a href="#authentication">Authentication</a></li>
${tags.map(
  ({ name }) => html`<li><a href="#${tagAnchor(name)}">${name}</a><ul>${entriesOfTag(entries, name).map(entryLink)}</ul></li>\n`,
)}
<li><a href="#schemas">Schemas</a><ul>${Object.keys(components.schemas).map(
    (name) => html`<li><a href="#schema-${name}">${name}</a></li>`,
  )}</ul></li>
<li><a href="#errors">Errors</a></li>
</ul></details></nav>
`;
}

function entryLink({ methods, path, operation: { operationId } }: Entry): Markup {
  const method = methods.length > 1 ? 'ANY' : (methods[0] ?? '');
  return html`<li><a href="#${operationId}"><code><b>${method}</b> <span>${breakable(path, '/')}</span></code></a></li>`;
}
