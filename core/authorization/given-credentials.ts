import { checkFields, type FormField, type JsonObject } from '#contract';
import type { StoredCredentials } from '../auth-modes/auth-mode.ts';
import { type ImportedCredentials, storedFromImport } from '../auth-modes/import-credentials.ts';
import { ServiceError } from '../errors.ts';

/** Credentials that a user types into a form: those of an import, but for what the provider or the integration adds. */
export type GivenCredentials =
  | Extract<ImportedCredentials, { readonly type: 'API_KEY' | 'BASIC' | 'NONE' }>
  | { readonly type: 'OAUTH2_CC'; readonly client_id: string; readonly client_secret: string }
  | {
      readonly type: 'TBA';
      readonly token_id: string;
      readonly token_secret: string;
      /** An app of the connection's own, in place of the integration's. */
      readonly oauth_client_id_override?: string | undefined;
      readonly oauth_client_secret_override?: string | undefined;
    };

/** Their stored form; of OAUTH2_CC still without its first token. */
export function storedFromForm(given: GivenCredentials, at: Date): StoredCredentials {
  if (given.type === 'OAUTH2_CC') return storedFromImport({ ...given, token: '' }, at);
  if (given.type !== 'TBA') return storedFromImport(given, at);
  const { type, token_id: tokenId, token_secret: tokenSecret } = given;
  const { oauth_client_id_override: clientId, oauth_client_secret_override: clientSecret } = given;
  const configOverride = { ...(clientId !== undefined && { clientId }), ...(clientSecret !== undefined && { clientSecret }) };
  return { type, tokenId, tokenSecret, configOverride, receivedAt: at.toISOString() };
}

/** By the definition's form, which may ask for more than the mode does. @throws ServiceError `invalid_body` */
export function checkForm(fields: Readonly<Record<string, FormField>> | undefined, given: GivenCredentials): void {
  const entries = Object.entries<string | undefined>(given);
  const values: JsonObject = Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  const asked = Object.entries(fields ?? {}).filter(([name]) => Object.hasOwn(values, name));
  const details = checkFields(Object.fromEntries(asked), values, { allowUnknown: true });
  if (details.length > 0) throw new ServiceError('invalid_body', details.map(({ message }) => message).join(' '), { details });
}
