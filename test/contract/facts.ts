import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Provider } from '../../core/catalogue/catalogue.ts';
import { errorCode } from '../../core/kit/error-code.ts';

const host = z.string().regex(/^[a-z0-9.-]+$/);

/** Facts about a provider, with where they were read and when. */
const schema = z.strictObject({
  sources: z.array(z.url({ protocol: /^https$/ })).min(2),
  hosts: z.strictObject({
    authorize: host.optional(),
    token: host.optional(),
    /** Of the users of an installed app. */
    user: host.optional(),
    api: host.optional(),
  }),
  checked: z.iso.date(),
});

type Facts = z.infer<typeof schema>;

/** `facts.json` of each folder that has one, by slug. */
export async function readFacts(providers: readonly Provider[]): Promise<ReadonlyMap<string, Facts>> {
  const found = await Promise.all(providers.map(async ({ slug, directory }) => [slug, await readOne(directory)] as const));
  return new Map(found.flatMap(([slug, facts]) => (facts === undefined ? [] : [[slug, facts] as const])));
}

async function readOne(directory: string): Promise<Facts | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(join(directory, 'facts.json'), 'utf8')));
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return undefined;
    throw cause;
  }
}
