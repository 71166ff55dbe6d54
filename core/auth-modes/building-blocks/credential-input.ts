import * as z from 'zod';
import { type JsonObject, trimPasted } from '#contract';
import type { CredentialInput, Unstamped } from '../auth-mode.ts';
import { defined } from './presented.ts';
import type { ConfigOverride } from './stored-credentials.ts';

/** Maximum length of a secret in characters. The longest secrets are tokens that are JWTs or contain certificates. */
export const MAX_SECRET = 16_384;

/** A key or a token. People paste it, so it is trimmed. */
export const secret = z.string().overwrite(trimPasted).min(1).max(MAX_SECRET);
/** A key of several lines, such as a PEM, which is stored unchanged. */
export const longSecret = z.string().min(1).max(MAX_SECRET);
/**
 * A password that a person chose, so surrounding white space may be part of it. It may be empty, since some APIs need only one of
 * user name and password.
 */
export const password = z.string().max(MAX_SECRET);
export const userName = z.string().overwrite(trimPasted).max(MAX_SECRET);
export const identifier = z.string().overwrite(trimPasted).min(1).max(255);
export const expiresAt = z.iso.datetime({ offset: true }).refine(isWritable, 'must be in the years 0 to 9999 in UTC');
/** The connection's own app; missing fields default to the fields of the integration's app. */
export const ownApp = z
  .strictObject({ client_id: identifier.optional(), client_secret: secret.optional() })
  .refine((app) => Object.keys(app).length > 0, 'must have client_id, client_secret or both');

/** Returns its arguments as a `CredentialInput`; calling it lets TypeScript infer the parameter of `store` from the schema. */
export function credentialInput<Z extends z.ZodObject, S extends Unstamped>(
  members: Z,
  store: (given: z.output<Z>) => S,
): CredentialInput<S, Z> {
  return { members, store };
}

export function storedExpiry({ expires_at }: { readonly expires_at?: string | undefined }): { expiresAt?: string } {
  return expires_at === undefined ? {} : { expiresAt: new Date(expires_at).toISOString() };
}

export function storedOverride({ client_id: clientId, client_secret: clientSecret }: z.output<typeof ownApp>): ConfigOverride {
  return { ...(clientId !== undefined && { clientId }), ...(clientSecret !== undefined && { clientSecret }) };
}

/** Returns `raw` for credentials that have no provider's response: the imported fields without the refresh token. */
export function rawOf(imported: object): JsonObject {
  const kept = Object.entries(imported).filter(([name]) => name !== 'refresh_token');
  return defined(Object.fromEntries(kept.map(([name, value]) => [name, typeof value === 'object' ? defined(value) : value])));
}

/**
 * Returns whether a date has a four-digit year (RFC 3339 §5.6) in UTC, too. Invalid dates have already been rejected by the
 * schema.
 */
function isWritable(text: string): boolean {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) || /^\d/.test(time.toISOString());
}
