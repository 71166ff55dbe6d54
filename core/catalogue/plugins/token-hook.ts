import * as z from 'zod';
import type { ClientFacts, RefreshContext, TokenSet } from '#contract';
import { callHook, type HookCall, type HookDeps, WrongResult } from './call-hook.ts';

const text = z.string('must be a non-empty string').min(1, 'must be a non-empty string');

const tokenSet = z.object(
  {
    accessToken: text,
    refreshToken: text.optional(),
    expiresAt: z.date('must be a valid Date').optional(),
    raw: z.record(z.string(), z.unknown(), 'must be an object').refine(isJson, 'must be JSON'),
  },
  'it must be an object',
);

interface TokenHookCall extends HookCall {
  readonly client: ClientFacts;
  readonly now: Date;
}

/**
 * Runs a hook that obtains tokens. The hook may use the app's secret, which is hidden in errors and logs, as the tokens are.
 *
 * @throws ServiceError as `callHook`; `server_error` if the hook returns anything but tokens
 */
export async function callTokenHook(
  deps: HookDeps,
  { client: { clientId, clientSecret }, now, secrets = [], ...call }: TokenHookCall,
  run: (ctx: RefreshContext) => Promise<unknown>,
): Promise<TokenSet> {
  return callHook(deps, { ...call, secrets: [clientSecret, ...secrets] }, async (ctx) =>
    readTokenSet(await run({ ...ctx, client: { clientId, clientSecret }, now })),
  );
}

/** @throws WrongResult if the value is no `TokenSet`; the message contains no value */
function readTokenSet(value: unknown): TokenSet {
  const { error } = tokenSet.safeParse(value);
  if (error === undefined) return value as TokenSet;
  const faults = error.issues.map(({ path, message }) => [path.join('.'), message].filter((part) => part !== '').join(' '));
  throw new WrongResult(`returned no TokenSet: ${faults.join('; ')}`);
}

/** Returns whether the value can be stored and returned as JSON. */
function isJson(raw: unknown): boolean {
  try {
    return JSON.stringify(raw) !== undefined;
  } catch {
    return false;
  }
}
