import type { SignedJwtTemplate } from '#contract';
import { type ModeDeps, type ModeInput, TokenFailure } from '../auth-mode.ts';
import { type DefinedJwt, signDefinedJwt } from '../building-blocks/signed-jwt/defined-jwt.ts';
import { fittedFields, type KeyFields } from '../building-blocks/signed-jwt/key-fields.ts';
import { signingFailure } from '../building-blocks/signed-jwt/key-form.ts';
import { exchangeAssertion } from './assertion-grant.ts';
import type { StoredJwt } from './stored.ts';

/** A new token: signed, or obtained by a new assertion. @throws TokenFailure */
export async function withNewToken(deps: ModeDeps, input: ModeInput, previous: StoredJwt): Promise<StoredJwt> {
  const now = deps.now();
  const { token: template, assertion } = input.definition;
  if (assertion !== undefined) {
    const { fields, token } = await signed(assertion, input, { previous, now });
    return { type: 'JWT', ...fields, ...(await exchangeAssertion(deps, input, { assertion: token, now, previous })) };
  }
  if (template === undefined) throw new TokenFailure('transient', 'the provider declares neither token nor assertion');
  const { fields, token, expiresAt } = await signed(template, input, { previous, now });
  return { type: 'JWT', ...fields, token, expiresAt: expiresAt.toISOString(), receivedAt: now.toISOString() };
}

async function signed(
  template: SignedJwtTemplate,
  input: ModeInput,
  { previous, now }: { readonly previous: StoredJwt; readonly now: Date },
): Promise<DefinedJwt & { readonly fields: KeyFields }> {
  try {
    const fields = fittedFields(input.definition, template, previous);
    return { fields, ...(await signDefinedJwt(template, input, { fields, now })) };
  } catch (error) {
    throw signingFailure(error);
  }
}
