import * as z from 'zod';
import type { JsonObject } from '#contract';
import { type AuthMode, type ModeDeps, type ModeInput, TokenFailure } from '../auth-mode.ts';
import { bearer } from '../building-blocks/bearer-token.ts';
import { credentialInput, longSecret, rawOf } from '../building-blocks/credential-input.ts';
import { firstToken } from '../building-blocks/first-token.ts';
import { defined, expires_at, presentRaw, raw, text } from '../building-blocks/presented.ts';
import { signDefinedJwt } from '../building-blocks/signed-jwt/defined-jwt.ts';
import {
  fittedFields,
  type KeyFields,
  keyFieldsOf,
  keyMembers,
  namesOf,
  otherMember,
} from '../building-blocks/signed-jwt/key-fields.ts';
import { checkKeyFields, KEY_EXAMPLE, signingFailure } from '../building-blocks/signed-jwt/key-form.ts';
import type { Expiring } from '../building-blocks/stored-credentials.ts';

const entered = credentialInput(
  z.object({ ...keyMembers, privateKey: longSecret, type: z.literal('APP_STORE').optional() }).catchall(otherMember),
  (given) => ({
    type: 'APP_STORE' as const,
    ...keyFieldsOf(given),
    privateKey: given.privateKey,
    accessToken: '',
    raw: withoutKey(given),
  }),
);

/** Connects with the key of an app store's team, which signs short-lived tokens. */
export const appStore: AuthMode<StoredAppStore> = {
  name: 'APP_STORE',
  requires: ['token', 'credentials'],
  // That a token can be signed proves nothing: the provider may not know the key.
  isProvenByCall: true,
  presented: z.strictObject({ type: z.literal('APP_STORE'), access_token: text, private_key: text, expires_at, raw }),
  form: {
    ...entered,
    hasDeclaredFields: true,
    path: '/auth/app-store',
    operationId: 'connectWithAppStoreKey',
    summary: 'Connect with the key of an app store team; the fields are the `credentials` of the provider’s definition',
    example: KEY_EXAMPLE,
    fields: {},
    check: (given: z.output<typeof entered.members>, input) => {
      if (input.definition.token !== undefined) checkKeyFields(input.definition.token, input, keyFieldsOf(given));
    },
  },
  present: (stored, options) =>
    defined({
      type: stored.type,
      access_token: stored.accessToken,
      private_key: stored.privateKey,
      expires_at: stored.expiresAt,
      raw: presentRaw(stored.raw, options),
    }),
  sign: ({ accessToken }) => bearer(accessToken),
  templateValues: (stored) => ({
    ...namesOf(stored),
    accessToken: stored.accessToken,
    'credentials.access_token': stored.accessToken,
  }),
  prepare: (deps, input, stored) => firstToken(() => withNewToken(deps, input, stored)),
  refresh: withNewToken,
};

/** Signs a new token with the stored key. @throws TokenFailure if the definition declares no token, or the key cannot sign it */
async function withNewToken(deps: ModeDeps, input: ModeInput, stored: StoredAppStore): Promise<StoredAppStore> {
  const { token: template } = input.definition;
  if (template === undefined) throw new TokenFailure('transient', 'the provider definition declares no token');
  const now = deps.now();
  try {
    const fields = fittedFields(input.definition, template, stored);
    const { token, expiresAt } = await signDefinedJwt(template, input, { fields, now });
    return { ...stored, accessToken: token, expiresAt: expiresAt.toISOString(), receivedAt: now.toISOString() };
  } catch (error) {
    throw signingFailure(error);
  }
}

/**
 * Returns `raw`, which consists of the entered fields because there is no provider's response. The private key is stored
 * separately.
 */
function withoutKey({ privateKey: _, type: __, ...others }: Readonly<Record<string, unknown>>): JsonObject {
  return rawOf(others);
}

export interface StoredAppStore extends Expiring, KeyFields {
  readonly type: 'APP_STORE';
  readonly privateKey: string;
  /** The signed token; empty before the first one is signed. */
  readonly accessToken: string;
  readonly raw: JsonObject;
}
