import * as z from 'zod';
import { textTemplate } from '../templates.ts';
import { headerName } from './parts.ts';

const SETTING = /^\$\{integrationConfig\.([\w-]+)\}$/;
const setting = z.string().regex(SETTING, 'must be the placeholder of a setting, ${integrationConfig.<name>}');

/** The place of an API key in a request. Each member may be the placeholder of a setting. */
export const apiKeyPlace = z.strictObject({
  in: z.union([z.enum(['header', 'query']), setting]),
  name: z.union([headerName, setting]).describe('name of the header or query parameter'),
  prefix: textTemplate.optional().describe('text before the key; in a header, a word such as `Token` is followed by a space'),
});

/** Returns the name of the setting whose placeholder a member is; undefined if the member is a plain value. */
export function settingOf(member: string): string | undefined {
  return SETTING.exec(member)?.[1];
}
