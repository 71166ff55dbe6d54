import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { ScriptCallError } from '../../../scripts-runtime/script-run.ts';

/** Unpacked. Beside it a script's own memory is small. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const JSON_TYPE = /^[^;]*[/+]json\s*(?:;|$)/i;

/** What `svc.proxy` resolves to. */
export interface ProviderAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON parsed; anything else as text. */
  readonly data: unknown;
}

interface Head {
  readonly status: number;
  readonly headers: IncomingHttpHeaders | OutgoingHttpHeaders;
}

/** @throws ScriptCallError `answer_too_large`, `provider_unreachable` when the answer breaks off */
export async function readAnswer({ status, headers: given }: Head, body: Readable): Promise<ProviderAnswer> {
  const headers = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')]),
  );
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
      if (length > MAX_ANSWER_BYTES) break;
    }
  } catch (cause) {
    throw new ScriptCallError('provider_unreachable', 'the provider’s answer broke off', { cause });
  }
  if (length > MAX_ANSWER_BYTES)
    throw new ScriptCallError('answer_too_large', `the provider’s answer is larger than ${MAX_ANSWER_BYTES} bytes`);
  return Buffer.concat(chunks).toString('utf8');
}

function dataOf(type: string, text: string): unknown {
  if (!JSON_TYPE.test(type)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
