import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { FACTS_FILE } from '../../core/catalogue/provider-file.ts';
import { errorCode } from '../../core/kit/error-code.ts';

const host = z.string().regex(/^[a-z0-9.-]+$/);

const schema = z.strictObject({
  /** Where they were read: the provider's documentation, and somebody else. */
  sources: z.array(z.url({ protocol: /^https$/ })).min(2),
  /** As the examples of the fields fill them. */
  hosts: z.strictObject({
    authorize: host.optional(),
    token: host.optional(),
    /** Of the users of an installed app. */
    user: host.optional(),
    api: host.optional(),
  }),
  checked: z.iso.date(),
});

/** What is known about a provider, written down a second time: `facts.json` beside its definition. */
export type Facts = z.infer<typeof schema>;

/** @returns undefined where there are none */
export async function readFacts(directory: string): Promise<Facts | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(join(directory, FACTS_FILE), 'utf8')));
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return undefined;
    throw cause;
  }
}
