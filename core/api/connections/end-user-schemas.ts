import * as z from 'zod';
import { isEmail } from '../../connections/tags.ts';

const MAX_TAGS = 64;
const MAX_TAG_VALUE = 64;

const name = z.string().max(255);

/** An end user in requests. Deprecated in favour of tags. */
export const endUserInput = z.strictObject({
  id: name.min(1),
  email: name.refine(isEmail, 'must be an e-mail address').optional(),
  display_name: name.optional(),
  tags: z
    .record(z.string(), z.string().max(MAX_TAG_VALUE))
    .refine((tags) => Object.keys(tags).length <= MAX_TAGS, `may have at most ${MAX_TAGS} keys`)
    .optional(),
});

export const organizationInput = z.strictObject({ id: name, display_name: name.optional() });

export const endUserOutput = z
  .strictObject({
    id: z.string(),
    email: z.string().nullable(),
    display_name: z.string().nullable(),
    tags: z.record(z.string(), z.string()),
    organization: z.strictObject({ id: z.string(), display_name: z.string().nullable() }).nullable(),
  })
  .meta({ id: 'EndUser' });
