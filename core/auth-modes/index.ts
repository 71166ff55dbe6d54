import { apiKey } from './api-key/index.ts';
import { app } from './app/index.ts';
import { appStore } from './app-store/index.ts';
import type { AuthMode } from './auth-mode.ts';
import { awsSigV4 } from './aws-sigv4/index.ts';
import { basic } from './basic/index.ts';
import { bill } from './bill/index.ts';
import type { StoredCredentials } from './building-blocks/stored-credentials.ts';
import { custom } from './custom/index.ts';
import { jwt } from './jwt/index.ts';
import { mcpOAuth2 } from './mcp-oauth2/index.ts';
import { none } from './none/index.ts';
import { oauth1 } from './oauth1/index.ts';
import { oauth2 } from './oauth2/index.ts';
import { oauth2Cc } from './oauth2-cc/index.ts';
import { signature } from './signature/index.ts';
import { tba } from './tba/index.ts';
import { twoStep } from './two-step/index.ts';

/** All auth modes. The catalogue, the API, the import and the connect page are derived from this table. */
export const AUTH_MODES: readonly AuthMode[] = [
  oauth1,
  oauth2,
  oauth2Cc,
  basic,
  apiKey,
  none,
  tba,
  app,
  appStore,
  jwt,
  custom,
  bill,
  twoStep,
  signature,
  awsSigV4,
  mcpOAuth2,
];

const byName = new Map(AUTH_MODES.map((mode) => [mode.name, mode]));

/** Returns the mode with this name. @param name `auth_mode` of a checked definition, or `type` of stored credentials */
export function modeNamed(name: string): AuthMode {
  const mode = byName.get(name);
  if (mode === undefined) throw new Error(`there is no auth mode "${name}"`);
  return mode;
}

/** Returns the mode that wrote these credentials. */
export function modeOf({ type }: StoredCredentials): AuthMode {
  return modeNamed(type);
}
