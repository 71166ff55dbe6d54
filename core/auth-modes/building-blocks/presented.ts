import * as z from 'zod';
import { isObject, type Json, type JsonObject, jsonObject } from '#contract';
import type { ConfigOverride } from './stored-credentials.ts';

// Schemas of fields that the `presented` schemas of several modes have.
export const text = z.string();
export const expires_at = z.iso.datetime({ offset: true }).optional();
export const raw = jsonObject.meta({ description: 'the provider’s response' });
export const ownApp = z.strictObject({ client_id: text.optional(), client_secret: text.optional() });

/** The schema of OAuth 2.0 tokens, regardless of the grant. */
export const oauth2Tokens = z.strictObject({
  type: z.literal('OAUTH2'),
  access_token: text,
  refresh_token: text.optional().meta({ description: 'only if requested' }),
  expires_at,
  config_override: ownApp.optional(),
  raw,
});

/** Returns the properties whose value is not undefined. */
export function defined(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  const entries = Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return Object.fromEntries(entries);
}

export function presentOverride({ clientId, clientSecret }: ConfigOverride): JsonObject {
  return defined({ client_id: clientId, client_secret: clientSecret });
}

/** Returns a provider's response, without refresh tokens unless they are requested. */
export function presentRaw(raw: JsonObject, { withRefreshToken }: { readonly withRefreshToken: boolean }): JsonObject {
  return withRefreshToken ? raw : withoutRefreshTokens(raw);
}

/** Removes refresh tokens in any spelling and at any depth. */
export function withoutRefreshTokens(raw: JsonObject): JsonObject {
  const kept = Object.entries(raw).filter(([name]) => !/^refresh[\W_]?token$/i.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, scrub(value)]));
}

function scrub(value: Json): Json {
  if (Array.isArray(value)) return value.map(scrub);
  return isObject(value) ? withoutRefreshTokens(value) : value;
}
