import { effectiveDefinition } from '#contract';
import { type ModeDeps, type ModeInput, TokenFailure } from '../auth-mode.ts';
import { signIn, walk } from '../building-blocks/sign-in/sign-in.ts';
import { TOKEN_CALL_MS } from '../building-blocks/token-endpoint/token-call.ts';
import { type StoredTwoStep, storedTwoStep } from './stored.ts';

/**
 * By the refresh token, where there is one and the definition says how; otherwise, and if the provider refuses it, by signing in
 * again.
 *
 * @throws TokenFailure
 */
export async function renew(deps: ModeDeps, input: ModeInput, stored: StoredTwoStep): Promise<StoredTwoStep> {
  const startedAt = performance.now();
  const refreshed = await byRefreshToken(deps, input, stored);
  if (refreshed !== undefined) return refreshed;
  const tokenCallMs = Math.max(1, (deps.tokenCallMs ?? TOKEN_CALL_MS) - Math.ceil(performance.now() - startedAt));
  const { credentials: entered } = stored;
  return storedTwoStep(entered, await signIn({ ...deps, tokenCallMs }, input, { entered, previous: stored }));
}

async function byRefreshToken(deps: ModeDeps, input: ModeInput, stored: StoredTwoStep): Promise<StoredTwoStep | undefined> {
  const definition = effectiveDefinition(input.definition, input.integrationConfig);
  const { refresh_url: token_url, refresh_params: token_params, token_headers, body_format } = definition;
  const { refreshToken, credentials: entered } = stored;
  if (refreshToken === undefined || token_url === undefined) return undefined;
  try {
    const step = { token_url, token_params, token_headers, body_format };
    return storedTwoStep(entered, await walk(deps, { input, definition, entered, refreshToken, previous: stored }, [step]));
  } catch (error) {
    if (error instanceof TokenFailure && isRefusal(error)) return undefined;
    throw error;
  }
}

function isRefusal({ kind, status }: TokenFailure): boolean {
  return kind === 'refused' || (status >= 400 && status < 500 && status !== 429);
}
