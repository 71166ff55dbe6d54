import { createHmac } from 'node:crypto';
import { parseJson } from '../kit/exact-json.ts';
import { timingSafeEqualText } from '../kit/timing-safe-equal.ts';
import type { Reply } from '../server/route.ts';
import { signingSecrets } from '../tenants/environments/webhook-secret.ts';
import type { DemoProviderDeps, DemoRequest } from './deps.ts';
import { insertEntry } from './inbox-store.ts';
import { DemoRefusal, requirePlayground } from './refusal.ts';

const MAX_KEPT_BYTES = 64 * 1024;
const TOLERANCE_SECONDS = 300;
/** The headers that are stored. All others are left out, because they may contain data that a provider or its user sent. */
const KEPT_HEADERS = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature', 'x-svc-hmac-sha256'];

/**
 * `POST /inbox/{environment uuid}`: plays an application that receives webhooks, for environments that have no application yet.
 */
export async function takeWebhook(deps: DemoProviderDeps, { caller, path, headers, readBody }: DemoRequest): Promise<Reply> {
  const environment = await requirePlayground(deps.db, caller.environmentId);
  if (path !== `/inbox/${environment.uuid}`) throw new DemoRefusal(404, 'not_found', 'this is the inbox of another environment');
  const body = await readBody();
  await insertEntry(deps, environment.id, {
    headers: Object.fromEntries(
      KEPT_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const])),
    ),
    payload: body.length > MAX_KEPT_BYTES ? null : parseJson(body.toString('utf8')),
    bytes: body.length,
    isSignatureValid: await isSigned(deps, environment.id, { headers, body }),
  });
  return { status: 204 };
}

/** Checks the signature in the way an application does (github.com/standard-webhooks, spec § "Verifying signatures"). */
async function isSigned(
  deps: DemoProviderDeps,
  environmentId: number,
  { headers, body }: Pick<DemoRequest, 'headers'> & { readonly body: Buffer },
): Promise<boolean> {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': signatures = '' } = headers;
  const ageSeconds = Math.abs(deps.clock.now().getTime() / 1_000 - Number(timestamp));
  const secret = (await signingSecrets(deps, environmentId))?.current;
  if (secret === undefined || !(ageSeconds <= TOLERANCE_SECONDS)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
  return signatures.split(' ').some((signature) => timingSafeEqualText(signature, expected));
}
