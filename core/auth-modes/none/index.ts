import * as z from 'zod';
import type { AuthMode } from '../auth-mode.ts';
import { credentialInput } from '../building-blocks/credential-input.ts';
import type { StoredCredentials } from '../building-blocks/stored-credentials.ts';

interface StoredNone extends StoredCredentials {
  readonly type: 'NONE';
}

const imported = credentialInput(z.strictObject({}), () => ({ type: 'NONE' as const }));

/** An API without authentication. */
export const none: AuthMode<StoredNone> = {
  name: 'NONE',
  presented: z.strictObject({}),
  imported,
  form: {
    ...imported,
    path: '/auth/unauthenticated',
    operationId: 'connectUnauthenticated',
    summary: 'Connect to an API that needs no credentials',
    fields: {},
  },
  present: () => ({}),
  templateValues: () => ({}),
};
