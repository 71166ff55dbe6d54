import { randomUUID } from 'node:crypto';
import type { JsonSchema } from '../../../core/server/openapi/schemas.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { textFor } from './pattern-text.ts';

export type Schema = JsonSchema;
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

const MAX_DEPTH = 5;
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-15T09:30:00.000Z',
  email: 'ada@example.com',
  uri: 'https://hooks.example/in',
};

interface Choices {
  readonly random: SeededRandom;
  readonly resolve: (schema: Schema) => Schema;
  /**
   * Returns the value for a field of this name, such as the ID of an existing connection. If it returns undefined, any value that
   * the schema allows is used.
   */
  readonly byName: (member: string) => Json | undefined;
  /** The probability that an optional field is present, from 0 to 1. */
  readonly optional: number;
}

/** Returns a value that a JSON schema allows. */
export function valueFor(given: Schema, choices: Choices, place: Place): Json {
  const { member } = place;
  const schema = choices.resolve(given);
  const named = choices.byName(member);
  if (named !== undefined && fits(schema, named)) return named;
  if ('const' in schema) return JSON.parse(JSON.stringify(schema['const']));
  const branches = list(schema['enum']);
  if (branches.length > 0) return JSON.parse(JSON.stringify(pick(branches, choices)));
  const alternatives = [...list(schema['anyOf']), ...list(schema['oneOf'])];
  if (alternatives.length > 0) return valueFor(pick(alternatives, choices) as Schema, choices, place);
  const parts = list(schema['allOf']) as Schema[];
  if (parts.length > 0) return Object.assign({}, ...parts.map((part) => valueFor(part, choices, place)));
  return ofType(schema, choices, place);
}

interface Place {
  /** The name of the field whose value this is; empty if it is not the value of a field. */
  readonly member: string;
  readonly depth: number;
}

function ofType(schema: Schema, choices: Choices, { member, depth }: Place): Json {
  const { random } = choices;
  switch (schema.type) {
    case 'string':
      return textOf(schema, random);
    case 'integer':
    case 'number':
      return numberOf(schema, random);
    case 'boolean':
      return random.below(2) === 1;
    case 'null':
      return null;
    case 'array':
      return arrayOf(schema, choices, { member, depth });
    case 'object':
      return objectOf(schema, choices, depth);
    default:
      return random.pick<Json>(['any', 7, true, null, ['list'], { any: 'thing' }]);
  }
}

function textOf(schema: Schema, random: SeededRandom): string {
  const { format, pattern, minLength = 0, maxLength = 40 } = schema;
  if (format === 'uuid') return randomUUID();
  const known = typeof format === 'string' ? FORMATS[format] : undefined;
  if (known !== undefined) return known;
  if (typeof pattern === 'string') return textFor(pattern, random);
  const length = Number(minLength) + random.below(Math.min(Number(maxLength) - Number(minLength), 40) + 1);
  return Array.from({ length }, () => random.pick(['a', 'Z', '7', '-', '_', ' ', 'é', '日', '🦊', "'", '"', '%', '/'])).join('');
}

function numberOf(schema: Schema, random: SeededRandom): number {
  const from = Number(schema['minimum'] ?? 0);
  const to = Math.min(Number(schema['maximum'] ?? from + 1_000), from + 100_000);
  return from + random.below(to - from + 1);
}

function arrayOf(schema: Schema, choices: Choices, { member, depth }: Place): Json[] {
  const items = schema['items'];
  const least = Number(schema['minItems'] ?? 0);
  const most = Math.min(Number(schema['maxItems'] ?? least + 3), least + 3);
  const length = depth >= MAX_DEPTH ? 0 : least + choices.random.below(most - least + 1);
  if (typeof items !== 'object' || items === null) return [];
  return Array.from({ length }, () => valueFor(items as Schema, choices, { member, depth: depth + 1 }));
}

function objectOf(schema: Schema, choices: Choices, depth: number): { [name: string]: Json } {
  const made: { [name: string]: Json } = {};
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const isThere = schema.required?.includes(name) || (depth < MAX_DEPTH && choices.random.next() < choices.optional);
    if (isThere) made[name] = valueFor(member, choices, { member: name, depth: depth + 1 });
  }
  const further = schema['additionalProperties'];
  if (typeof further !== 'object' || further === null || depth >= MAX_DEPTH) return made;
  const names = schema['propertyNames'];
  for (let count = choices.random.below(3); count > 0; count -= 1) {
    const name =
      typeof names === 'object' && names !== null ? valueFor(names as Schema, choices, { member: 'key', depth }) : 'key';
    made[String(name) || 'key'] = valueFor(further as Schema, choices, { member: 'value', depth: depth + 1 });
  }
  return made;
}

function fits({ type, pattern }: Schema, value: Json): boolean {
  if (type === undefined || type === 'string') return typeof value === 'string' && new RegExp(String(pattern ?? '')).test(value);
  return type === 'integer' && typeof value === 'number';
}

function pick(choices: readonly unknown[], { random }: Choices): unknown {
  return choices[random.below(choices.length)];
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
