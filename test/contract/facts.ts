import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { FACTS_FILE } from '../../core/catalogue/provider-file.ts';
import { errorCode } from '../../core/kit/error-code.ts';

const host = z.string().regex(/^[a-z0-9.-]+$/);

const schema = z.strictObject({
  /** The sources of the facts: the provider's documentation and at least one other. */
  sources: z.array(z.url({ protocol: /^https$/ })).min(2),
  /** The hosts that result when the fields have their example values. */
  hosts: z.strictObject({
    authorize: host.optional(),
    token: host.optional(),
    /** The token host for users of an installed app. */
    user: host.optional(),
    api: host.optional(),
  }),
  checked: z.iso.date(),
});

/** Facts about a provider that `facts.json` states independently of the definition, so that a test can compare the two. */
export type Facts = z.infer<typeof schema>;

/** @returns undefined if the provider has no such file */
export async function readFacts(directory: string): Promise<Facts | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(join(directory, FACTS_FILE), 'utf8')));
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return undefined;
    throw cause;
  }
}
