import { apiKey } from './api-key.ts';
import { app } from './app/index.ts';
import { appStore } from './app-store.ts';
import type { AuthMode } from './auth-mode.ts';
import { basic } from './basic.ts';
import { bill } from './bill.ts';
import { custom } from './custom.ts';
import { jwt } from './jwt.ts';
import { none } from './none.ts';
import { oauth1 } from './oauth1/index.ts';
import { oauth2 } from './oauth2/index.ts';
import { oauth2Cc } from './oauth2-cc.ts';
import { signature } from './signature.ts';
import type { StoredBy, StoredCredentials } from './stored-credentials.ts';
import { tba } from './tba.ts';
import { twoStep } from './two-step.ts';

type Type = StoredCredentials['type'];

const modes: { readonly [T in Type]: AuthMode<StoredBy<T>> } = {
  OAUTH1: oauth1,
  OAUTH2: oauth2,
  OAUTH2_CC: oauth2Cc,
  BASIC: basic,
  API_KEY: apiKey,
  NONE: none,
  TBA: tba,
  APP: app,
  APP_STORE: appStore,
  JWT: jwt,
  CUSTOM: custom,
  BILL: bill,
  TWO_STEP: twoStep,
  SIGNATURE: signature,
};

/** Every auth mode, by the name that `auth_mode` of a definition and `type` of stored credentials carry. */
export const AUTH_MODES: Readonly<Record<Type, AuthMode>> = modes;

/** The mode that wrote these credentials. */
export function modeOf({ type }: StoredCredentials): AuthMode {
  return AUTH_MODES[type];
}
