import * as z from 'zod';
import type { AuthMode, ModeDeps, ModeInput } from '../../../core/auth-modes/auth-mode.ts';
import { tokenValues } from '../../../core/auth-modes/building-blocks/bearer-token.ts';
import { credentialInput, secret } from '../../../core/auth-modes/building-blocks/credential-input.ts';
import { firstToken } from '../../../core/auth-modes/building-blocks/first-token.ts';
import { defined, expires_at, text } from '../../../core/auth-modes/building-blocks/presented.ts';
import { type Expiring, lifetimeOf } from '../../../core/auth-modes/building-blocks/stored-credentials.ts';
import { callTokenEndpoint } from '../../../core/auth-modes/building-blocks/token-endpoint/token-call.ts';
import { readTokenResponse } from '../../../core/auth-modes/building-blocks/token-endpoint/token-response.ts';

interface StoredVoucher extends Expiring {
  readonly type: 'VOUCHER';
  readonly voucher: string;
  /** Empty until the first token has been fetched. */
  readonly token: string;
}

const imported = credentialInput(z.strictObject({ voucher: secret }), ({ voucher }) => ({
  type: 'VOUCHER' as const,
  voucher,
  token: '',
}));

/** An auth mode that only tests have: a voucher is redeemed for one token after another. */
export const voucher: AuthMode<StoredVoucher> = {
  name: 'VOUCHER',
  requires: ['token_url'],
  presented: z.strictObject({ type: z.literal('VOUCHER'), voucher: text, token: text, expires_at }),
  imported,
  form: {
    ...imported,
    path: '/auth/voucher',
    operationId: 'connectWithVoucher',
    summary: 'Connect with a voucher',
    example: { voucher: 'example-voucher' },
    fields: { voucher: { title: 'Voucher' } },
  },
  present: ({ type, voucher, token, expiresAt }) => defined({ type, voucher, token, expires_at: expiresAt }),
  sign: ({ token }) => ({ authorization: `Voucher ${token}` }),
  templateValues: ({ token }) => tokenValues(token),
  prepare: (deps, input, stored) => firstToken(() => redeem(deps, input, stored)),
  refresh: redeem,
};

async function redeem(deps: ModeDeps, input: ModeInput, stored: StoredVoucher): Promise<StoredVoucher> {
  const receivedAt = deps.now();
  const params = { voucher: stored.voucher };
  const response = await callTokenEndpoint(deps, input, { url: 'token_url', grantType: 'voucher', templates: undefined, params });
  const tokens = readTokenResponse(input, { response, receivedAt });
  return { ...stored, token: tokens.accessToken, ...lifetimeOf(tokens), receivedAt: tokens.receivedAt };
}
