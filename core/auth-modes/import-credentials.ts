import * as z from 'zod';
import type { JsonObject } from '#contract';
import { defined } from './presented.ts';
import type { ConfigOverride, StoredCredentials } from './stored-credentials.ts';

/** Of one secret, in characters. Tokens that are JWTs, or carry certificates, are the longest. */
const MAX_SECRET = 16_384;

const text = (max: number) => z.string().min(1).max(max);
/** One secret, given by an import or by a form of a user interface. */
export const secret = text(MAX_SECRET);
/** User name or password. Some APIs take only one of the two, and nothing for the other. */
export const loginText = z.string().max(MAX_SECRET);
const expiresAt = z.iso.datetime({ offset: true }).refine(isWritable, 'must lie in the years 0 to 9999 of UTC');
/** An app of the connection's own; what it leaves out is the integration's. */
const ownApp = z
  .strictObject({ client_id: text(255).optional(), client_secret: secret.optional() })
  .refine(hasMember, 'must have client_id, client_secret or both');

/** The credentials that can be imported, in the interface's words. A variant has these members and no other. */
export const importCredentials = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('OAUTH1'), oauth_token: secret, oauth_token_secret: secret }),
  z.strictObject({
    type: z.literal('OAUTH2'),
    access_token: secret,
    refresh_token: secret.optional(),
    expires_at: expiresAt.optional(),
    config_override: ownApp.optional(),
  }),
  z.strictObject({ type: z.literal('BASIC'), username: loginText, password: loginText }),
  z.strictObject({ type: z.literal('API_KEY'), apiKey: secret }),
  z.strictObject({
    type: z.literal('OAUTH2_CC'),
    client_id: text(255),
    client_secret: secret,
    token: secret,
    expires_at: expiresAt.optional(),
  }),
  z.strictObject({ type: z.literal('NONE') }),
  z.strictObject({ type: z.literal('TBA'), token_id: secret, token_secret: secret, config_override: ownApp }),
  z.strictObject({ type: z.literal('APP'), app_id: text(255), installation_id: text(255) }),
]);

export type ImportedCredentials = z.infer<typeof importCredentials>;

/** The stored form of credentials that came at this time. A mode with `prepare` has more to do before they can be stored. */
export function storedFromImport(given: ImportedCredentials, at: Date): StoredCredentials {
  return { ...membersOf(given), receivedAt: at.toISOString() };
}

type Members<Stored> = Stored extends unknown ? Omit<Stored, 'receivedAt'> : never;

function membersOf(given: ImportedCredentials): Members<StoredCredentials> {
  switch (given.type) {
    case 'OAUTH1':
      return { type: given.type, oauthToken: given.oauth_token, oauthTokenSecret: given.oauth_token_secret, raw: rawOf(given) };
    case 'OAUTH2':
      return {
        type: given.type,
        accessToken: given.access_token,
        ...(given.refresh_token !== undefined && { refreshToken: given.refresh_token }),
        ...expiryOf(given),
        raw: rawOf(given),
        ...(given.config_override !== undefined && { configOverride: override(given.config_override) }),
      };
    case 'BASIC':
      return { type: given.type, username: given.username, password: given.password };
    case 'API_KEY':
      return { type: given.type, apiKey: given.apiKey };
    case 'OAUTH2_CC':
      return {
        type: given.type,
        clientId: given.client_id,
        clientSecret: given.client_secret,
        token: given.token,
        ...expiryOf(given),
        raw: rawOf(given),
      };
    case 'NONE':
      return { type: given.type };
    case 'TBA':
      return {
        type: given.type,
        tokenId: given.token_id,
        tokenSecret: given.token_secret,
        configOverride: override(given.config_override),
      };
    case 'APP':
      return {
        type: given.type,
        appId: given.app_id,
        installationId: given.installation_id,
        accessToken: '',
        raw: rawOf(given),
      };
  }
}

/** RFC 3339 §5.6 has four digits for the year; an offset may lead out of them. What is no date was refused before. */
function isWritable(text: string): boolean {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) || /^\d/.test(time.toISOString());
}

function expiryOf({ expires_at }: { readonly expires_at?: string | undefined }): { expiresAt?: string } {
  return expires_at === undefined ? {} : { expiresAt: new Date(expires_at).toISOString() };
}

function override({ client_id: clientId, client_secret: clientSecret }: z.infer<typeof ownApp>): ConfigOverride {
  return { ...(clientId !== undefined && { clientId }), ...(clientSecret !== undefined && { clientSecret }) };
}

function hasMember(given: object): boolean {
  return Object.keys(given).length > 0;
}

/** There was no provider's answer: what was given stands in for it. */
function rawOf(given: ImportedCredentials): JsonObject {
  const kept = Object.entries(given).filter(([name]) => name !== 'type' && name !== 'refresh_token');
  const members = kept.map(([name, value]) => [name, typeof value === 'object' ? defined(value) : value] as const);
  return defined(Object.fromEntries(members));
}
