import * as z from 'zod';

/** JSON Schema as zod makes it, of which only these members are read here. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly type?: string;
}

/** Translates zod schemas, and keeps the parts they share or recurse into as components. */
export class SchemaBook {
  readonly components: Record<string, JsonSchema> = {};

  /**
   * @param io   what a caller may send (`input`) or what the service answers (`output`)
   * @param name for the parts that need a name and have none of their own
   */
  translate(schema: z.ZodType, io: 'input' | 'output', name: string): JsonSchema {
    const made = z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any', override: asSent });
    const { $schema: _, $defs = {}, ...root } = made;
    const renamed = (key: string) => (key.startsWith('__') ? `${name}${key.slice(2)}` : key);
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

/** A Date leaves as ISO 8601 text; zod has no JSON Schema for it. */
function asSent({
  zodSchema,
  jsonSchema,
}: {
  readonly zodSchema: z.core.$ZodTypes;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  if (zodSchema._zod.def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
}
