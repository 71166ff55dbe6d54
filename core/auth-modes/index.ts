import type { ProviderDefinition } from '#contract';
import type { AuthMode, StoredCredentials } from './auth-mode.ts';
import { oauth2 } from './oauth2/index.ts';

type Known = Record<StoredCredentials['type'], AuthMode>;
type Unknown = Partial<Record<Exclude<ProviderDefinition['auth_mode'], keyof Known>, AuthMode>>;

/**
 * Every auth mode, by the name that `auth_mode` and the stored credentials' `type` carry. A mode that a definition names may
 * still be missing.
 */
export const AUTH_MODES: Readonly<Known & Unknown> = { OAUTH2: oauth2 };
