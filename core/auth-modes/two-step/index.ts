import * as z from 'zod';
import { withDefaults } from '#contract';
import type { AuthMode, ModeDeps, ModeInput } from '../auth-mode.ts';
import { bearerUnlessPlaced, tokenValues } from '../bearer-token.ts';
import { firstToken } from '../first-token.ts';
import { defined, expires_at, presentRaw, raw, text } from '../presented.ts';
import { type Entered, signIn } from '../sign-in/sign-in.ts';
import { receivedTokens } from '../token-endpoint/token-response.ts';
import { form } from './form.ts';
import { renew } from './renew.ts';
import { type StoredTwoStep, storedTwoStep } from './stored.ts';

/** A token from the provider's own sign-in: one call or several, as the definition describes them. */
export const twoStep: AuthMode<StoredTwoStep> = {
  name: 'TWO_STEP',
  requires: ['token_url', 'token_response', 'credentials'],
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
  refresh: (deps: ModeDeps, input, stored) => renew(deps, input, stored),
  adopt: (input, tokens, received) => storedTwoStep(received.previous.credentials, receivedTokens(input, tokens, received)),
};

function templateValues({ credentials, token }: StoredTwoStep): Readonly<Record<string, string>> {
  const entered = Object.entries(credentials).map(([name, value]) => [`credentials.${name}`, value] as const);
  return { ...Object.fromEntries(entered), ...tokenValues(token) };
}

function withDefaultFields({ definition }: ModeInput, entered: Entered): Entered {
  const values = Object.entries(withDefaults(definition.credentials, entered));
  return Object.fromEntries(values.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])));
}
