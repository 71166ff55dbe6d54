import type { JsonSchema } from '../../openapi/schemas.ts';

/** Maximum depth of the rows of a schema. Deeper schemas are named components, of which only the name is shown. */
const MAX_DEPTH = 6;
/** Maximum length of a pattern that is shown, in characters: a longer one tells a reader no more than `format` does. */
const MAX_PATTERN = 60;

/** One line of a schema's table. */
export type SchemaRow = PropertyRow | { readonly kind: 'variant'; readonly path: string; readonly label: string };

interface PropertyRow {
  readonly kind: 'member';
  /** The path from the body down, such as `data[].id`; `*` stands for any name. */
  readonly path: string;
  readonly type: TypeText;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** A type in words; parts with `component` name a schema of the document. */
export type TypeText = readonly (string | { readonly component: string })[];

/** Returns a row for every property of a schema; nested properties follow the one that contains them. */
export function schemaRows(schema: JsonSchema, path = ''): SchemaRow[] {
  if (path.split(/[.[]/).length > MAX_DEPTH) return [];
  const { properties, required = [] } = schema;
  if (properties !== undefined) {
    return Object.entries(properties).flatMap(([name, member]): SchemaRow[] => {
      const own = path === '' ? name : `${path}.${name}`;
      const row = {
        kind: 'member',
        path: own,
        type: typeText(member),
        required: required.includes(name),
        schema: member,
      } as const;
      return [row, ...schemaRows(member, own)];
    });
  }
  const [only, ...others] = variantsOf(schema);
  if (only !== undefined && others.length === 0) return schemaRows(only, path);
  if (only !== undefined) return [only, ...others].flatMap((variant, index) => variantRows(variant, { path, index }));
  if (isSchema(schema['items'])) return schemaRows(schema['items'], `${path}[]`);
  const values = schema['additionalProperties'];
  return isSchema(values) ? schemaRows(values, path === '' ? '*' : `${path}.*`) : [];
}

function variantRows(variant: JsonSchema, { path, index }: { readonly path: string; readonly index: number }): SchemaRow[] {
  const rows = schemaRows(variant, path);
  return rows.length === 0 ? [] : [{ kind: 'variant', path, label: labelOf(variant) ?? `variant ${index + 1}` }, ...rows];
}

/** Returns a label such as `type: "OAUTH2"` if a property has a fixed value, which identifies the variant. */
function labelOf({ properties = {} }: JsonSchema): string | undefined {
  const [found] = Object.entries(properties).filter(([, { const: fixed }]) => fixed !== undefined);
  return found && `${found[0]}: ${JSON.stringify(found[1]['const'])}`;
}

/** The name of the component that a schema refers to. */
export function componentOf({ $ref: reference }: JsonSchema): string | undefined {
  return typeof reference === 'string' ? reference.slice(reference.lastIndexOf('/') + 1) : undefined;
}

/** Describes the type of a value in words, without its limits. */
export function typeText(schema: JsonSchema): TypeText {
  const { const: fixed, enum: values, type, items, additionalProperties } = schema;
  const component = componentOf(schema);
  if (component !== undefined) return [{ component }];
  if (fixed !== undefined) return [JSON.stringify(fixed)];
  if (Array.isArray(values)) return [values.map((value) => JSON.stringify(value)).join(' or ')];
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return joined(alternatives.map(typeText));
  if (type === 'array') return isSchema(items) ? ['list of ', ...typeText(items)] : ['list'];
  if (type === 'object' && isSchema(additionalProperties) && schema.properties === undefined)
    return ['map of ', ...typeText(additionalProperties)];
  return [[type ?? 'any value'].flat().join(' or ')];
}

/** Joins types with "or", each different one once: the rows already show that there are variants. */
function joined(types: readonly TypeText[]): TypeText {
  const different = new Map(types.map((one) => [JSON.stringify(one), one]));
  return [...different.values()].flatMap((one, index) => (index === 0 ? one : [' or ', ...one]));
}

/** Describes the limits of a value in words. */
export function limitsOf(schema: JsonSchema): string[] {
  const of = (keyword: string, write: (value: unknown) => string) =>
    schema[keyword] === undefined ? [] : [write(schema[keyword])];
  const unit = schema.type === 'string' ? 'characters' : 'items';
  const { pattern } = schema;
  return [
    ...of('format', (format) => String(format)),
    ...rangeOf(schema['minLength'] ?? schema['minItems'], schema['maxLength'] ?? schema['maxItems'], unit),
    ...of('minimum', (minimum) => `at least ${minimum}`),
    ...of('exclusiveMinimum', (minimum) => `more than ${minimum}`),
    // zod writes the largest exact integer where there is no other bound.
    ...(schema['maximum'] === Number.MAX_SAFE_INTEGER ? [] : of('maximum', (maximum) => `at most ${maximum}`)),
    ...(typeof pattern === 'string' && pattern.length <= MAX_PATTERN ? [`matches ${pattern}`] : []),
    ...of('default', (value) => `default ${JSON.stringify(value)}`),
  ];
}

function rangeOf(min: unknown, max: unknown, unit: string): string[] {
  if (max === undefined) return min === undefined ? [] : [`at least ${min} ${unit}`];
  return [min === undefined || min === 0 ? `at most ${max} ${unit}` : `${min} to ${max} ${unit}`];
}

/** Returns the alternatives of a schema except `null`. */
function variantsOf(schema: JsonSchema): JsonSchema[] {
  return alternativesOf(schema).filter(({ type }) => type !== 'null');
}

function alternativesOf({ anyOf, oneOf }: JsonSchema): JsonSchema[] {
  const found = anyOf ?? oneOf;
  return Array.isArray(found) ? found.filter(isSchema) : [];
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
