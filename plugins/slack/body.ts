import { type IncomingWebhook, type Json, parseJson } from '#contract';

const FORM = 'application/x-www-form-urlencoded';

/**
 * Returns the payload. Slack sends events as JSON, interactions as a form whose field `payload` is JSON, and slash commands as a
 * form whose fields are texts (docs: "Handling user interaction", "Implementing slash commands").
 */
export function payloadOf({ headers, rawBody, payload }: IncomingWebhook): Json {
  if (!headers['content-type']?.startsWith(FORM)) return payload;
  const fields = Object.fromEntries(new URLSearchParams(Buffer.from(rawBody).toString('utf8')));
  return fields['payload'] === undefined ? fields : (parsed(fields['payload']) ?? fields);
}

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
