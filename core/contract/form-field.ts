import * as z from 'zod';
import { findRunawayPattern } from './patterns.ts';
import { secureUrl } from './templates.ts';

const text = z.string().min(1);
/** A regular expression that is safe to match against hostile values. */
export const pattern = text.superRefine((source, context) => {
  const fault = findRunawayPattern(source);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
});

/** One input of a form: what the connect page asks of a user, or the dashboard of a developer. Values are always texts. */
export const formField = z.strictObject({
  type: z.literal('string').describe('always `string`'),
  title: text.describe('label'),
  description: text.optional().describe('help text below the input'),
  example: text.optional().describe('placeholder, and part of the message when the value has the wrong format'),
  pattern: pattern
    .optional()
    .describe('regular expression (flag `u`) that the whole value, at most 255 characters, must match; checked on the server'),
  hint: pattern
    .optional()
    .describe('a pattern that values usually match: user interfaces warn if one does not, the server accepts it'),
  pattern_message: text.optional().describe('what the user reads when the pattern or the hint does not match'),
  format: z
    .enum(['hostname', 'uri', 'uuid', 'email', 'header_name'])
    .optional()
    .describe('a well-known form of the value; checked on the server'),
  prefix: text.optional().describe('fixed text shown before the input; not part of the value'),
  suffix: text.optional().describe('fixed text shown after the input; not part of the value'),
  enum: z.array(text).min(1).optional().describe('the allowed values'),
  multiline: z.boolean().optional().describe('true: the value has several lines, such as a private key'),
  help_url: secureUrl.optional().describe('where the user finds the value'),
  optional: z.boolean().optional().describe('true: may be left out'),
  optional_with: text.optional().describe('another field: if that has a value, this one may be left out'),
  default_value: text.optional().describe('used when the value is left out'),
  secret: z.boolean().optional().describe('true: masked in forms, stored encrypted'),
  hidden: z.boolean().optional().describe('true: not shown to users; set through the API'),
  automated: z.boolean().optional().describe('true: never asked for; found during authorization'),
  order: z.int().optional().describe('position in the form, ascending'),
  doc_section: text.optional().describe('anchor in the set-up guide'),
  warnings: z.record(text, text).optional().describe('a note for each value of `enum`'),
  visible_when: z
    .strictObject({ field: text, equals: text })
    .optional()
    .describe('asked for only when the other field has this value'),
});

/** A checked form field. */
export type FormField = Readonly<z.infer<typeof formField>>;
