import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';

/** JSON Schema as zod generates it; only these keywords are read here. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly type?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

/** Matches a reference to the schema itself, or to a schema that zod named because it has no ID. */
const UNNAMED_REFERENCE = /"\$ref":"#(\/\$defs\/__schema\d+)?"/;

/**
 * The component to which `anyJson` of the contract refers. The items of its arrays are untyped: a TypeScript type that is an
 * array of itself does not compile (TS2502) as a property of an interface, which is how generators of clients write it.
 */
const JSON_VALUE: JsonSchema = {
  description: 'Anything that JSON can hold.',
  anyOf: [
    ...['string', 'number', 'boolean', 'null'].map((type) => ({ type })),
    { type: 'array', items: {} },
    { type: 'object', additionalProperties: { $ref: '#/components/schemas/JsonValue' } },
  ],
};

/** Translates zod schemas, and collects those that have an ID as components. */
export class SchemaRegistry {
  readonly components: Record<string, JsonSchema> = { JsonValue: JSON_VALUE };

  /**
   * @param io what a caller may send (`input`) or what the service responds with (`output`)
   * @throws TypeError when two schemas have the same ID
   */
  translate(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    // Zod names every translated schema except the outermost one.
    if (z.globalRegistry.get(schema)?.id !== undefined) return this.translate(z.array(schema), io)['items'] as JsonSchema;
    const text = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any', override: asSent }));
    if (UNNAMED_REFERENCE.test(text)) throw new TypeError('a schema that refers to itself needs an ID');
    const { $schema: _, $defs, ...root } = JSON.parse(text.replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'));
    for (const [id, component] of Object.entries<JsonSchema>($defs ?? {})) this.#add(id, component);
    return root;
  }

  #add(id: string, component: JsonSchema): void {
    const known = this.components[id];
    if (known !== undefined && !isDeepStrictEqual(known, component)) throw new TypeError(`two schemas have the ID "${id}"`);
    this.components[id] = component;
  }
}

interface Translated {
  readonly zodSchema: z.core.$ZodTypes;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}

/** Corrects the translation where zod has no JSON Schema, or one that does not fit what callers send and receive. */
function asSent({ zodSchema, jsonSchema }: Translated): void {
  const { def } = zodSchema._zod;
  // A Date is sent as ISO 8601 text.
  if (def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
  // z.stringbool() accepts `true` and `false` in a query.
  if (def.type === 'pipe' && def.out._zod.def.type === 'boolean') Object.assign(jsonSchema, { type: 'boolean' });
  // Zod omits the default where the input differs from the output.
  if (def.type === 'default' && typeof def.defaultValue !== 'function') jsonSchema.default = def.defaultValue;
  // Zod passes `examples` on only where nothing is transformed, but any other property of `.meta()` always.
  const { example, ...rest } = jsonSchema;
  if (example === undefined) return;
  delete jsonSchema['example'];
  Object.assign(jsonSchema, { ...rest, examples: [example] });
}
