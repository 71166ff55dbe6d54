import * as z from 'zod';
import { checkFields, effectiveDefinition } from '#contract';
import { ServiceError } from '../../errors.ts';
import { type AuthMode, type CredentialForm, type ModeDeps, type ModeInput, TokenFailure, type Unstamped } from '../auth-mode.ts';
import { bearerUnlessPlaced, tokenValues } from '../building-blocks/bearer-token.ts';
import { credentialInput, password } from '../building-blocks/credential-input.ts';
import { withDefaultFields } from '../building-blocks/default-fields.ts';
import { firstToken } from '../building-blocks/first-token.ts';
import { defined, expires_at, presentRaw, raw, text } from '../building-blocks/presented.ts';
import { type EnteredFields, signIn, walk } from '../building-blocks/sign-in/sign-in.ts';
import { TOKEN_CALL_MS } from '../building-blocks/token-endpoint/token-call.ts';
import { receivedTokens } from '../building-blocks/token-endpoint/token-response.ts';
import { type StoredTwoStep, storedTwoStep } from './stored.ts';

/** Fields that clients may send in addition to the definition's. */
const accepted = {
  type: z.literal('TWO_STEP').optional(),
  assertionOption: z.unknown().optional().meta({ description: 'accepted but ignored' }),
};

const form: CredentialForm<Unstamped<StoredTwoStep>> = {
  ...credentialInput(
    z.object(accepted).catchall(password),
    (given): Unstamped<StoredTwoStep> => ({
      type: 'TWO_STEP',
      credentials: fieldsOf(given),
      raw: {},
    }),
  ),
  path: '/auth/two-step',
  operationId: 'connectWithTwoStep',
  summary: 'Connect with the values for the provider’s sign-in; the fields are the `credentials` of the provider’s definition',
  example: { username: 'ada', password: 'example-password' },
  fields: {},
  hasDeclaredFields: true,
  check: (given, { definition }: ModeInput) => {
    const details = checkFields(definition.credentials, fieldsOf(given));
    if (details.length > 0) throw new ServiceError('invalid_body', details.map(({ message }) => message).join(' '), { details });
  },
};

function fieldsOf(given: Readonly<Record<string, unknown>>): EnteredFields {
  const texts = Object.entries(given).flatMap(([name, value]) =>
    !Object.hasOwn(accepted, name) && typeof value === 'string' ? [[name, value] as const] : [],
  );
  return Object.fromEntries(texts);
}

/** A token that the provider's own kind of sign-in issues, with one call or several, which the definition describes. */
export const twoStep: AuthMode<StoredTwoStep> = {
  name: 'TWO_STEP',
  requires: ['token_url', 'token_response', 'credentials'],
  reads: ['token_params', 'refresh_params', 'token_headers'],
  presented: z.strictObject({ type: z.literal('TWO_STEP'), token: text.optional(), expires_at, raw }),
  form,
  present: (stored, options) =>
    defined({
      type: stored.type,
      token: stored.token,
      expires_at: stored.expiresAt,
      raw: presentRaw(stored.raw, options),
    }),
  sign: (stored, { definition }) => bearerUnlessPlaced(stored.token, templateValues(stored), definition),
  templateValues,
  prepare: async (deps, input, stored) => {
    const entered = withDefaultFields(input, stored.credentials);
    return storedTwoStep(entered, await firstToken(() => signIn(deps, input, { entered })));
  },
  entered: ({ credentials }) => credentials,
  refresh: (deps: ModeDeps, input, stored) => renew(deps, input, stored),
  adopt: (input, tokens, received) => {
    const entered = withDefaultFields(input, received.previous.credentials);
    return storedTwoStep(entered, receivedTokens(input, tokens, received));
  },
};

function templateValues({ credentials, token }: StoredTwoStep): Readonly<Record<string, string>> {
  const entered = Object.entries(credentials).map(([name, value]) => [`credentials.${name}`, value] as const);
  return { ...Object.fromEntries(entered), ...tokenValues(token) };
}

/**
 * Refreshes the credentials with the refresh token, if there is one and the definition says how. If not, or if the provider
 * refuses it, signs in again.
 *
 * @throws TokenFailure if that fails
 */
async function renew(deps: ModeDeps, input: ModeInput, stored: StoredTwoStep): Promise<StoredTwoStep> {
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
