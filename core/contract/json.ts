import * as z from 'zod';
import { ExactNumber } from '../kit/exact-json.ts';
import type { Json } from './context.ts';

/**
 * The schema of any JSON value, with the same description as `z.json()`. It checks nothing, since a JSON parser has already read
 * the value.
 */
export const anyJson = z.custom<Json>(() => true).meta({ $ref: '#/components/schemas/JsonValue' });
export const jsonObject = z.record(z.string(), anyJson);

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}
