import type { Reply } from '../server/route.ts';
import { callbackOf, secondsFromNow } from './authorize.ts';
import { CLIENT_ID, isDemoSecret } from './client.ts';
import type { DemoProviderDeps, DemoRequest } from './deps.ts';
import { insertGrant, renewGrant, revokeGrant } from './grant-store.ts';
import { DemoRefusal, requirePlayground } from './refusal.ts';
import { isVerifierOf, seal, unseal } from './tokens.ts';

/** Lifetime of an access token, short enough for a person to watch a refresh. */
const ACCESS_SECONDS = 20;
const REFRESH_SECONDS = 7 * 86_400;
export const SLOW_MS = 3_000;

/**
 * `POST /token`: issues tokens (RFC 6749 §4.1.3, §6).
 *
 * @throws DemoRefusal if the app, the code or the refresh token is wrong, if the environment is for production, or if the user
 *   chose this failure
 */
export async function issueTokens(deps: DemoProviderDeps, request: DemoRequest): Promise<Reply> {
  const form = await formOfClient(deps, request);
  const grantType = form.get('grant_type');
  if (grantType === 'authorization_code') return exchangeCode(deps, request, form);
  if (grantType === 'refresh_token') return renew(deps, request, form);
  throw new DemoRefusal(
    400,
    'unsupported_grant_type',
    'the sandbox supports only the grants authorization_code and refresh_token',
  );
}

/**
 * `POST /revoke` (RFC 7009): accepts an access or refresh token and revokes the whole grant.
 *
 * @throws DemoRefusal if the app is wrong
 */
export async function revokeTokens(deps: DemoProviderDeps, request: DemoRequest): Promise<Reply> {
  const form = await formOfClient(deps, request);
  const reader = { keys: deps.keys, now: deps.clock.now() };
  const token = form.get('token');
  const known = unseal(reader, 'refresh', token) ?? unseal(reader, 'access', token);
  if (known !== undefined && isOfCaller(request, known)) await revokeGrant(deps.db, known.grantId);
  return { status: 200, body: {} };
}

async function formOfClient({ keys }: DemoProviderDeps, { readBody }: DemoRequest): Promise<URLSearchParams> {
  const form = new URLSearchParams((await readBody()).toString('utf8'));
  if (form.get('client_id') === CLIENT_ID && isDemoSecret(keys, form.get('client_secret') ?? '')) return form;
  throw new DemoRefusal(401, 'invalid_client', 'this is not the app of the sandbox');
}

async function exchangeCode(deps: DemoProviderDeps, request: DemoRequest, form: URLSearchParams): Promise<Reply> {
  const code = unseal({ keys: deps.keys, now: deps.clock.now() }, 'code', form.get('code'));
  if (code === undefined || form.get('redirect_uri') !== callbackOf(deps) || !isOfCaller(request, code)) throw invalidGrant();
  if (!isVerifierOf(code.challenge, form.get('code_verifier') ?? '')) throw invalidGrant();
  await requirePlayground(deps.db, code.environmentId);
  const { grantId: id, environmentId, outcome } = code;
  if (outcome === 'fails_exchange') throw new DemoRefusal(500, 'server_error', 'the user chose that this call fails');
  if (!(await insertGrant(deps.db, { id, environmentId }))) {
    // The code was used before, so the tokens that were issued for it are revoked (RFC 6749 §4.1.2).
    await revokeGrant(deps.db, id);
    throw invalidGrant();
  }
  return tokens(deps, { ...code, generation: 1 });
}

async function renew(deps: DemoProviderDeps, request: DemoRequest, form: URLSearchParams): Promise<Reply> {
  const refresh = unseal({ keys: deps.keys, now: deps.clock.now() }, 'refresh', form.get('refresh_token'));
  if (refresh === undefined || !isOfCaller(request, refresh)) throw invalidGrant();
  await requirePlayground(deps.db, refresh.environmentId);
  const { grantId, generation, outcome } = refresh;
  if (outcome === 'refuses_renewal') await revokeGrant(deps.db, grantId);
  if (!(await renewGrant(deps.db, grantId, generation))) throw invalidGrant();
  return tokens(deps, { ...refresh, generation: generation + 1 });
}

type Granted = Omit<Parameters<typeof seal<'access'>>[2], 'expiresAt'>;

/** Issues tokens, with a new refresh token each time (RFC 9700 §4.14.2). */
async function tokens(deps: DemoProviderDeps, granted: Granted): Promise<Reply> {
  const { environmentId, grantId, personId, scope, outcome, generation } = granted;
  const content = { environmentId, grantId, personId, scope, outcome, generation };
  if (outcome === 'is_slow') await deps.wait(SLOW_MS);
  return {
    body: {
      access_token: seal(deps.keys, 'access', { ...content, expiresAt: secondsFromNow(deps, ACCESS_SECONDS) }),
      refresh_token: seal(deps.keys, 'refresh', { ...content, expiresAt: secondsFromNow(deps, REFRESH_SECONDS) }),
      token_type: 'bearer',
      expires_in: ACCESS_SECONDS,
      scope,
    },
  };
}

/**
 * Returns whether the grant belongs to the caller's environment: the service never presents a token of one environment on behalf
 * of another.
 */
function isOfCaller({ caller }: DemoRequest, { environmentId }: { readonly environmentId: number }): boolean {
  return caller.environmentId === environmentId;
}

function invalidGrant(): DemoRefusal {
  return new DemoRefusal(400, 'invalid_grant', 'the code or token is unknown, was already used, or has expired');
}
