import * as z from 'zod';

/** Shapes that several endpoints share. */

export const dateTime = z.iso.datetime();
export const jsonObject = z.record(z.string(), z.json());

/** Interface contract, "Resources": configuration and metadata. */
const MAX_OBJECT_BYTES = 64 * 1024;

/** An object that is stored whole. */
export const boundedObject = jsonObject.refine(
  (value) => Buffer.byteLength(JSON.stringify(value)) <= MAX_OBJECT_BYTES,
  'may have at most 64 KB as JSON',
);

/** A number in a query: digits and nothing else. */
export function count({ from, to }: { readonly from: number; readonly to: number }) {
  const digits = (text: unknown) => (typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : text);
  return z.preprocess(digits, z.int().min(from).max(to));
}

/** The rules of tags are checked where they are read; here only the shape. */
export const tagsShape = z.record(z.string(), z.string());

export const uniqueKey = z
  .string()
  .regex(/^[a-zA-Z0-9~:.@ _-]{1,255}$/)
  .refine((key) => key !== '.' && key !== '..', 'may not be "." or ".."');

export const success = z.strictObject({ success: z.literal(true) });
