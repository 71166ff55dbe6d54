import type { JsonSchema } from '../../openapi/schemas.ts';
import { html, type Markup } from '../../pages/html.ts';
import { breakable, prose } from './prose.ts';
import { limitsOf, type SchemaRow, schemaRows, type TypeText, typeText } from './schema-rows.ts';

/** Renders name, type and meaning of every property of a schema, or only its type if it has no properties. */
export function schemaTable(schema: JsonSchema): Markup {
  const rows = schemaRows(schema);
  if (rows.length > 0) return html`<dl class="fields">${rows.map(rowMarkup)}</dl>`;
  return html`<p class="type">${typeMarkup(typeText(schema))}${described(schema)}</p>`;
}

/** Renders one row, for a property or a parameter. */
export function fieldMarkup(name: Markup, type: TypeText, required: boolean, schema: JsonSchema): Markup {
  const labels = [...(required ? ['required'] : []), ...(schema['deprecated'] === true ? ['deprecated'] : [])];
  return html`<div><dt>${name} <span class="type">${typeMarkup(type)}</span>${labels.map(
    (label) => html` <span class="label ${label}">${label}</span>`,
  )}</dt><dd>${described(schema)}</dd></div>\n`;
}

function rowMarkup(row: SchemaRow): Markup {
  if (row.kind === 'variant') {
    const where = row.path === '' ? '' : html`${row.path}, `;
    return html`<div class="variant"><dt>${where}<code>${row.label}</code></dt><dd></dd></div>\n`;
  }
  return fieldMarkup(pathMarkup(row.path), row.type, row.required, row.schema);
}

/** Renders a path with its last part emphasized, since that is the part that readers look for. */
function pathMarkup(path: string): Markup {
  const at = path.lastIndexOf('.') + 1;
  return html`<code><span class="above">${breakable(path.slice(0, at), '.')}</span>${path.slice(at)}</code>`;
}

function typeMarkup(type: TypeText): Markup {
  return html`${type.map((part) =>
    typeof part === 'string' ? html`${part}` : html`<a href="/docs/reference/schemas#${part.component}">${part.component}</a>`,
  )}`;
}

function described(schema: JsonSchema): Markup {
  const { description, examples = [] } = schema;
  const limits = limitsOf(schema).join('; ');
  return html`${description === undefined ? '' : html`<span>${prose(description)}</span> `}${
    limits === '' ? '' : html`<span class="limits">${limits}</span> `
  }${examples.map((example) => html`<span class="limits">e.g. <code>${JSON.stringify(example)}</code></span>`)}`;
}
