import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { errorCode } from '../../kit/error-code.ts';
import { JsonError, parseWithLines } from '../../kit/strict-json.ts';
import type { ProviderRequest, StubResponse } from './provider.ts';
import { RehearsalFault } from './step.ts';

/** File in a plugin's folder with responses as the provider documents them, by method and URL without the query. */
export const DOCUMENTED_FILE = 'rehearsal.json';

const schema = z.record(
  z
    .string()
    .regex(/^(?:GET|POST|PUT|PATCH|DELETE|HEAD) https:\/\/[^\s?#]+$/, 'must be a method and an https: URL without a query'),
  z.strictObject({
    status: z.int().min(200).max(599).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.json().optional(),
  }),
);

export type DocumentedResponses = z.infer<typeof schema>;

/**
 * Reads the documented responses; none if there is no such file.
 *
 * @throws RehearsalFault when the file is not JSON or has other contents than required
 */
export async function readDocumentedResponses(directory: string): Promise<DocumentedResponses> {
  const file = join(directory, DOCUMENTED_FILE);
  try {
    const { value, lineOf } = parseWithLines(await readFile(file, 'utf8'));
    const { data, error } = schema.safeParse(value);
    if (data !== undefined) return data;
    const [issue] = error.issues;
    const path = (issue?.path ?? []).map((part) => (typeof part === 'number' ? part : String(part)));
    const reason = issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message;
    throw new RehearsalFault(`${path.join('.')}: ${reason}`, { file, line: lineOf(path) });
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return {};
    if (cause instanceof JsonError) throw new RehearsalFault(`is not JSON: ${cause.message}`, { file, line: cause.line });
    throw cause;
  }
}

/** Returns the documented response to a request; undefined if there is none. A string is sent as it is, anything else as JSON. */
export function documentedResponse(documented: DocumentedResponses, { method, url }: ProviderRequest): StubResponse | undefined {
  const name = nameOf(method, url);
  if (!Object.hasOwn(documented, name)) return undefined;
  const { status = 200, headers = {}, body } = documented[name] ?? {};
  if (typeof body === 'string') return { status, headers, body };
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

/** Returns the name by which the file of documented responses lists a request. */
export function nameOf(method: string, url: URL): string {
  return `${method} ${url.origin}${url.pathname}`;
}
