import * as z from 'zod';

/** JSON Schema as zod makes it, of which only these members are read here. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly type?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

/** A name of zod's own making, for a schema that refers to itself. */
const UNNAMED = /^__schema\d+$/;
/** What `z.json()` becomes: the only one of those that many endpoints share. */
const ANY_JSON = 'JsonValue';
const anyJson = JSON.stringify(z.toJSONSchema(z.strictObject({ value: z.json() })).$defs?.['__schema0']);

/** Translates zod schemas, and keeps the parts they share or recurse into as components. */
export class SchemaBook {
  /** Any JSON is always among them: bodies refer to it by its name. */
  readonly components: Record<string, JsonSchema> = {};

  constructor() {
    this.translate(z.strictObject({ value: z.json() }), 'input', ANY_JSON);
  }

  /**
   * @param io   what a caller may send (`input`) or what the service responds with (`output`)
   * @param name for the parts that need a name and have none of their own
   */
  translate(schema: z.ZodType, io: 'input' | 'output', name: string): JsonSchema {
    const made = z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any', override: asSent });
    const { $schema: _, $defs = {}, ...root } = made;
    const renamed = (key: string) => {
      if (!UNNAMED.test(key)) return key;
      return isAnyJson(key, $defs[key]) ? ANY_JSON : `${name}${key.slice(2)}`;
    };
    const relink = (text: string) =>
      text
        .replaceAll(/"\$ref":"#\/\$defs\/([^"]+)"/g, (_, key: string) => `"$ref":"#/components/schemas/${renamed(key)}"`)
        .replaceAll('"$ref":"#"', `"$ref":"#/components/schemas/${name}"`);
    for (const [key, part] of Object.entries($defs)) this.components[renamed(key)] = JSON.parse(relink(JSON.stringify(part)));
    const text = JSON.stringify(root);
    const whole: JsonSchema = JSON.parse(relink(text));
    if (!text.includes('"$ref":"#"')) return whole;
    this.components[name] = whole;
    return { $ref: `#/components/schemas/${name}` };
  }
}

function isAnyJson(key: string, part: unknown): boolean {
  return JSON.stringify(part)?.replaceAll(`/${key}"`, '/__schema0"') === anyJson;
}

interface Translated {
  readonly zodSchema: z.core.$ZodTypes;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}

/** What zod has no JSON Schema for, or another one than callers need. */
function asSent({ zodSchema, jsonSchema }: Translated): void {
  const { def } = zodSchema._zod;
  // A Date leaves as ISO 8601 text.
  if (def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
  // z.stringbool() takes `true` and `false` of a query.
  if (def.type === 'pipe' && def.out._zod.def.type === 'boolean') Object.assign(jsonSchema, { type: 'boolean' });
  // Zod leaves it out where what is sent differs from what is read of it.
  if (def.type === 'default' && typeof def.defaultValue !== 'function') jsonSchema.default = def.defaultValue;
  // Zod carries `examples` along only where nothing is transformed, but any other member of `.meta()` always.
  const { example, ...rest } = jsonSchema;
  if (example === undefined) return;
  delete jsonSchema['example'];
  Object.assign(jsonSchema, { ...rest, examples: [example] });
}
