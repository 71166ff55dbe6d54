import * as z from 'zod';
import type { AuthMode } from '../auth-mode.ts';
import { bearerUnlessPlaced } from '../building-blocks/bearer-token.ts';
import { credentialInput, secret } from '../building-blocks/credential-input.ts';
import { text } from '../building-blocks/presented.ts';
import type { StoredCredentials } from '../building-blocks/stored-credentials.ts';

interface StoredApiKey extends StoredCredentials {
  readonly type: 'API_KEY';
  readonly apiKey: string;
}

const imported = credentialInput(z.strictObject({ apiKey: secret }), ({ apiKey }) => ({ type: 'API_KEY' as const, apiKey }));

/** A key that the provider issued to its user, sent where the definition says; by default as a bearer token. */
export const apiKey: AuthMode<StoredApiKey> = {
  name: 'API_KEY',
  isProvenByCall: true,
  presented: z.strictObject({ type: z.literal('API_KEY'), apiKey: text }),
  imported,
  form: {
    ...imported,
    path: '/api-auth/api-key',
    operationId: 'connectWithApiKey',
    summary: 'Connect with an API key',
    example: { apiKey: 'example-api-key' },
    fields: { apiKey: { title: 'API key', secret: true } },
  },
  present: ({ type, apiKey }) => ({ type, apiKey }),
  sign: (stored, { definition }) => bearerUnlessPlaced(stored.apiKey, templateValues(stored), definition),
  templateValues,
  entered: ({ apiKey }) => ({ apiKey }),
  adopt: (_, { accessToken }, { receivedAt }) => ({ type: 'API_KEY', apiKey: accessToken, receivedAt: receivedAt.toISOString() }),
};

function templateValues({ apiKey }: StoredApiKey): Readonly<Record<string, string>> {
  return { apiKey, 'credentials.apiKey': apiKey };
}
