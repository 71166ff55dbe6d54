import * as z from 'zod';
import { textTemplate } from '../templates.ts';
import { headerName } from './parts.ts';

const SETTING = /^\$\{integrationConfig\.([\w-]+)\}$/;
const SETTING_EXPECTED = 'must be the placeholder of a setting, ${integrationConfig.<name>}';
// `abort` ends the member of a union, so that a text that fits no member gets the fault of the union, which names them all.
const setting = z.string(SETTING_EXPECTED).regex(SETTING, { error: SETTING_EXPECTED, abort: true });

/** Where a request carries the API key. Each property may instead be the placeholder of an integration's setting. */
export const apiKeyPlace = z.strictObject({
  in: z.union([z.enum(['header', 'query']), setting]),
  name: z.union([headerName, setting]).describe('name of the header or query parameter'),
  prefix: textTemplate.optional().describe('text before the key; in a header, a word such as `Token` is followed by a space'),
});

/** Returns the name of the setting whose placeholder this text is; undefined if the text is a plain value. */
export function settingOf(member: string): string | undefined {
  return SETTING.exec(member)?.[1];
}
