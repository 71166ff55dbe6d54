import type { Readable } from 'node:stream';
import { ScriptCallError } from '../../../scripts-runtime/script-run.ts';
import { parseJson } from '../../kit/exact-json.ts';
import type { ProxyResponse } from '../../proxy/message.ts';
import { joinedByName } from '../../proxy/raw-headers.ts';

/** Decompressed; larger than the memory of most scripts. */
const MAX_BYTES = 2 * 1024 * 1024;
const JSON_TYPE = /^[^;]*[/+]json\s*(?:;|$)/i;

/** What `svc.proxy` resolves to. */
export interface ProviderResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON parsed; anything else as text. */
  readonly data: unknown;
}

/** @throws ScriptCallError `answer_too_large`, `provider_unreachable` if the response is interrupted */
export async function readResponse({ status, headers: raw, body }: ProxyResponse): Promise<ProviderResponse> {
  const headers = joinedByName(raw);
  const text = await readText(body);
  return { status, headers, data: dataOf(headers['content-type'] ?? '', text) };
}

async function readText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_BYTES) break;
    }
  } catch (cause) {
    throw new ScriptCallError('provider_unreachable', 'the provider’s response was interrupted', { cause });
  }
  if (length > MAX_BYTES)
    throw new ScriptCallError('answer_too_large', `the provider’s response is larger than ${MAX_BYTES} bytes`);
  return Buffer.concat(chunks).toString('utf8');
}

function dataOf(type: string, text: string): unknown {
  if (!JSON_TYPE.test(type)) return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
