import * as z from 'zod';

/** Shapes that several endpoints share, as the interface contract names them. */

export const dateTime = z.iso.datetime();
export const jsonObject = z.record(z.string(), z.json());

/** The rules of tags are checked where they are read; here only the shape. */
export const tagsShape = z.record(z.string(), z.string());

export const uniqueKey = z
  .string()
  .regex(/^[a-zA-Z0-9~:.@ _-]{1,255}$/)
  .refine((key) => key !== '.' && key !== '..', 'may not be "." or ".."');

export const success = z.strictObject({ success: z.literal(true) });
