import { placeholdersOf } from '../kit/template.ts';
import type { AuthMode, SigningInput } from './auth-mode.ts';
import { bearer } from './bearer.ts';
import type { StoredApiKey } from './stored-credentials.ts';
import { validityOf } from './validity.ts';

/** A key that the provider issued to its user. Where it belongs the definition says; unsaid, it is a bearer token. */
export const apiKey: AuthMode<StoredApiKey> = {
  name: 'API_KEY',
  isProvenByCall: true,
  present: ({ type, apiKey }) => ({ type, apiKey }),
  validity: (stored) => validityOf(stored),
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
