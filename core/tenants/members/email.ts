import * as z from 'zod';

/** An e-mail address; parsing normalizes it to the form in which addresses are compared. */
export const email = z
  .string()
  .trim()
  .max(254)
  .pipe(z.email())
  .transform((text) => text.toLowerCase());
