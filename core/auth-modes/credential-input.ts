import * as z from 'zod';
import type { JsonObject } from '#contract';
import type { CredentialInput, Unstamped } from './auth-mode.ts';
import { defined } from './presented.ts';
import type { ConfigOverride } from './stored-credentials.ts';

/** Of one secret, in characters. Tokens that are JWTs, or carry certificates, are the longest. */
const MAX_SECRET = 16_384;

export const secret = z.string().min(1).max(MAX_SECRET);
/** User name or password. Some APIs take only one of the two, and nothing for the other. */
export const loginText = z.string().max(MAX_SECRET);
export const identifier = z.string().min(1).max(255);
export const expiresAt = z.iso.datetime({ offset: true }).refine(isWritable, 'must lie in the years 0 to 9999 of UTC');
/** An app of the connection's own; what it leaves out is the integration's. */
export const ownApp = z
  .strictObject({ client_id: identifier.optional(), client_secret: secret.optional() })
  .refine((app) => Object.keys(app).length > 0, 'must have client_id, client_secret or both');

/** Ties the schema of the members to the function that reads what it has checked. */
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

/** There was no provider's response: what was imported stands in for it. */
export function rawOf(imported: object): JsonObject {
  const kept = Object.entries(imported).filter(([name]) => name !== 'refresh_token');
  return defined(Object.fromEntries(kept.map(([name, value]) => [name, typeof value === 'object' ? defined(value) : value])));
}

/** RFC 3339 §5.6 has four digits for the year; an offset may lead out of them. What is no date was refused before. */
function isWritable(text: string): boolean {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) || /^\d/.test(time.toISOString());
}
