import type { JsonObject } from '#contract';
import type { EnteredFields } from '../building-blocks/sign-in/sign-in.ts';
import type { Expiring } from '../building-blocks/stored-credentials.ts';
import type { ReceivedTokens } from '../building-blocks/token-endpoint/token-response.ts';

export interface StoredTwoStep extends Expiring {
  readonly type: 'TWO_STEP';
  /** The entered values, which are stored for signing in again, and never shown. */
  readonly credentials: EnteredFields;
  readonly token?: string;
  readonly refreshToken?: string;
  readonly raw: JsonObject;
}

export function storedTwoStep(credentials: EnteredFields, { accessToken: token, ...received }: ReceivedTokens): StoredTwoStep {
  return { type: 'TWO_STEP', credentials, token, ...received };
}
