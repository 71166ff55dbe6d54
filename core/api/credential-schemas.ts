import * as z from 'zod';
import { jsonObject } from './schemas.ts';

const text = z.string();
const expires_at = z.iso.datetime({ offset: true }).optional();
const raw = jsonObject.meta({ description: 'what the provider answered' });
const ownApp = z.strictObject({ client_id: text.optional(), client_secret: text.optional() });

/** The credentials of a connection as they are returned, by `type`; an unauthenticated one has none. */
export const returnedCredentials = z
  .union([
    z.strictObject({ type: z.literal('OAUTH1'), oauth_token: text, oauth_token_secret: text, raw }),
    z.strictObject({
      type: z.literal('OAUTH2'),
      access_token: text,
      refresh_token: text.optional().meta({ description: 'only when it was asked for' }),
      expires_at,
      config_override: ownApp.optional(),
      raw,
    }),
    z.strictObject({ type: z.literal('OAUTH2_CC'), client_id: text, client_secret: text, token: text, expires_at, raw }),
    z.strictObject({ type: z.literal('BASIC'), username: text, password: text }),
    z.strictObject({ type: z.literal('API_KEY'), apiKey: text }),
    z.strictObject({ type: z.literal('APP'), access_token: text, expires_at, raw }),
    z.strictObject({ type: z.literal('APP_STORE'), access_token: text, private_key: text, expires_at, raw }),
    z.strictObject({
      type: z.literal('JWT'),
      privateKey: z.union([text, z.strictObject({ id: text, secret: text })]),
      privateKeyId: text.optional(),
      issuerId: text.optional(),
      token: text.optional(),
      expires_at,
    }),
    z.strictObject({ type: z.literal('CUSTOM'), raw }),
    z.strictObject({ type: z.literal('TBA'), token_id: text, token_secret: text, config_override: ownApp }),
    z.strictObject({
      type: z.literal('BILL'),
      username: text,
      password: text,
      organization_id: text,
      dev_key: text,
      session_id: text.optional(),
      user_id: text.optional(),
      expires_at,
      raw,
    }),
    z.strictObject({ type: z.literal('TWO_STEP'), token: text.optional(), expires_at, raw }),
    z.strictObject({ type: z.literal('SIGNATURE'), username: text, password: text, token: text.optional(), expires_at }),
    z.strictObject({}),
  ])
  .meta({ id: 'Credentials' });
