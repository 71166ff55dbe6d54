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
  example: text.optional().describe('placeholder; also part of the message when the value has the wrong format'),
  pattern: pattern
    .optional()
    .describe('regular expression (flag `u`) that must match the whole value, of at most 255 characters; checked on the server'),
  hint: pattern
    .optional()
    .describe('pattern that values usually match; if one does not, user interfaces show a warning, but the server accepts it'),
  pattern_message: text.optional().describe('message shown when the value does not match `pattern` or `hint`'),
  format: z
    .enum(['hostname', 'uri', 'uuid', 'email', 'header_name'])
    .optional()
    .describe('well-known format of the value; checked on the server'),
  prefix: text.optional().describe('fixed text shown before the input; not part of the value'),
  suffix: text.optional().describe('fixed text shown after the input; not part of the value'),
  enum: z.array(text).min(1).optional().describe('allowed values'),
  multiline: z.boolean().optional().describe('true: the value has several lines, such as a private key'),
  help_url: secureUrl.optional().describe('page that shows where to find the value'),
  optional: z.boolean().optional().describe('true: the value may be omitted'),
  optional_with: text.optional().describe('another field: if it has a value, this one may be omitted'),
  default_value: text.optional().describe('value used if none is entered'),
  secret: z.boolean().optional().describe('true: masked in forms and stored encrypted'),
  hidden: z.boolean().optional().describe('true: not shown to users; set through the API'),
  automated: z.boolean().optional().describe('true: not requested from the user, but found during authorization'),
  order: z.int().optional().describe('position in the form, ascending'),
  doc_section: text.optional().describe('anchor in the guide for users (`connect_guide_url`)'),
  warnings: z.record(text, text).optional().describe('a note for each value of `enum`'),
  visible_when: z
    .strictObject({ field: text, equals: text })
    .optional()
    .describe('shown only if `field`, another field, has the value `equals`'),
});

/** A checked form field. */
export type FormField = Readonly<z.infer<typeof formField>>;
