import * as z from 'zod';
import type { AuthMode, ModeDeps } from '../auth-mode.ts';
import { bearerUnlessPlaced, tokenValues } from '../building-blocks/bearer-token.ts';
import { withDefaultFields } from '../building-blocks/default-fields.ts';
import { firstToken } from '../building-blocks/first-token.ts';
import { defined, expires_at, presentRaw, raw, text } from '../building-blocks/presented.ts';
import { signIn } from '../building-blocks/sign-in/sign-in.ts';
import { receivedTokens } from '../building-blocks/token-endpoint/token-response.ts';
import { form } from './form.ts';
import { renew } from './renew.ts';
import { type StoredTwoStep, storedTwoStep } from './stored.ts';

/** A token from the provider's own sign-in: one call or several, as the definition describes them. */
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
