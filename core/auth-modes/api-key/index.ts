import * as z from 'zod';
import { placeholdersOf } from '../../kit/template.ts';
import type { AuthMode, SigningInput } from '../auth-mode.ts';
import { bearer } from '../bearer-token.ts';
import { credentialInput, secret } from '../credential-input.ts';
import { text } from '../presented.ts';
import type { StoredCredentials } from '../stored-credentials.ts';

interface StoredApiKey extends StoredCredentials {
  readonly type: 'API_KEY';
  readonly apiKey: string;
}

const imported = credentialInput(z.strictObject({ apiKey: secret }), ({ apiKey }) => ({ type: 'API_KEY' as const, apiKey }));

/** A key that the provider issued to its user. Where it belongs the definition says; otherwise it is a bearer token. */
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
  sign: (stored, { definition }) => (hasPlace(stored, definition) ? {} : bearer(stored.apiKey)),
  templateValues,
};

function templateValues({ apiKey }: StoredApiKey): Readonly<Record<string, string>> {
  return { apiKey, 'credentials.apiKey': apiKey };
}

/** In a header, the query or the base URL. */
function hasPlace(stored: StoredApiKey, { proxy }: SigningInput['definition']): boolean {
  const { base_url, headers, query } = proxy ?? {};
  const names = Object.keys(templateValues(stored));
  return placeholdersOf(JSON.stringify({ base_url, headers, query })).some((placeholder) => names.includes(placeholder));
}
