import * as z from 'zod';
import { ExactNumber } from '../kit/exact-json.ts';
import type { Json } from './context.ts';

/** Described as `z.json()` is. What a JSON parser has read need not be walked through once more. */
export const anyJson = z.custom<Json>(() => true).meta({ $ref: '#/components/schemas/JsonValue' });
export const jsonObject = z.record(z.string(), anyJson);

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}
