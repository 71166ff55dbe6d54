import * as z from 'zod';

/** How an integration is connected. */
export const WAY = z.enum(['sign_in', 'form', 'none']).meta({
  description:
    '`sign_in`: the user signs in on the provider’s page; `form`: the user enters credentials; `none`: no input is needed',
});

const text = z.string();

/** A field of a connect form. Optional properties without a value are omitted. */
export const fieldRecord = z.strictObject({
  path: z.tuple([z.enum(['params', 'credentials']), text]).meta({ description: 'where the value is sent, and its name there' }),
  title: text,
  description: text.optional(),
  example: text.optional(),
  secret: z.boolean().optional(),
  multiline: z.boolean().optional(),
  verbatim: z.literal(true).optional().meta({ description: 'leading and trailing blanks are part of the value' }),
  format: z.enum(['hostname', 'uri', 'uuid', 'email', 'header_name']).optional(),
  pattern: text.optional().meta({ description: 'regular expression (flag `u`) that the whole value must match' }),
  pattern_message: text.optional().meta({ description: 'shown when the value does not match `pattern` or `hint`' }),
  hint: text.optional().meta({ description: 'like `pattern`, but only warns the user' }),
  prefix: text.optional().meta({ description: 'shown before the input; not part of the value' }),
  suffix: text.optional().meta({ description: 'shown after the input; not part of the value' }),
  enum: z.array(text).optional(),
  warnings: z.record(text, text).optional().meta({ description: 'a note for each value of `enum`' }),
  optional: z.boolean().optional(),
  optional_with: text.optional().meta({ description: 'the field may be omitted if this field of the same group has a value' }),
  default_value: text.optional(),
  help_url: z.url().optional(),
  visible_when: z
    .strictObject({ field: text, equals: text })
    .optional()
    .meta({ description: 'the field is shown only while `field` of the same group has the value `equals`' }),
});

export const FIELD = { path: ['credentials', 'apiKey'], title: 'API key', secret: true };
