import * as z from 'zod';
import { trimPasted } from '#contract';
import { INTEGRATION_KEY } from '../examples.ts';
import { dateTime, uniqueKey } from '../schemas.ts';

/** Matches scope tokens (RFC 6749 §3.3) separated by commas. Spaces are not allowed: a space would become part of a scope. */
const SCOPES = /^(?:[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]+(?:,[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]+)*)?$/;
const PRIVATE_KEY = /^\s*-----BEGIN (RSA )?PRIVATE KEY-----[^-]+-----END \1?PRIVATE KEY-----\s*$/;

export const provider = z
  .string()
  .regex(/^[a-zA-Z0-9_-]{1,255}$/)
  .meta({ description: 'the name of a provider', example: INTEGRATION_KEY });
export const displayName = z.string().min(1).max(255);

/** A text that people paste from the provider's settings; surrounding white space is removed. */
const pasted = z.string().overwrite(trimPasted);

/** An integration's app in requests. The provider's `auth_mode` decides which of the fields are allowed. */
export const givenCredentials = z
  .strictObject({
    type: z.string().max(64).optional().meta({ description: 'the `auth_mode` of the provider' }),
    client_id: pasted.min(1).max(255).optional(),
    client_secret: pasted.min(1).max(4096).optional(),
    scopes: z
      .string()
      .max(8192)
      .regex(SCOPES, 'must be scopes (RFC 6749 section 3.3) separated by commas, without spaces')
      .optional()
      .meta({ description: 'comma-separated; empty: the provider’s defaults' }),
    webhook_secret: pasted.max(255).optional().meta({ description: 'empty: none' }),
    app_id: pasted.min(1).max(255).optional(),
    app_link: z
      .url({ protocol: /^https?$/ })
      .max(2048)
      .optional(),
    private_key: z.string().max(16_384).regex(PRIVATE_KEY, 'must be a PEM private key').optional(),
  })
  .meta({ id: 'AppCredentials' });

/** The integration's configuration in requests. The provider's definition decides which fields there are. */
export const givenConfig = z.record(z.string(), z.string().max(8192));

export const integrationRecord = z
  .strictObject({
    unique_key: z.string(),
    display_name: z.string(),
    provider: z.string(),
    created_at: dateTime,
    updated_at: dateTime,
    logo: z.url(),
    forward_webhooks: z.boolean(),
  })
  .meta({ id: 'Integration' });

const text = z.string().nullable().optional();

/** An integration's app in responses to callers that may read credentials. */
const shownCredentials = z
  .strictObject({
    type: z.string(),
    client_id: text,
    client_secret: text,
    scopes: z.string().optional(),
    app_id: text,
    app_link: text,
    private_key: text,
    webhook_secret: z.string().nullable(),
  })
  .nullable();

export const integrationWithMore = integrationRecord
  .extend({
    webhook_url: z.url().optional(),
    callback_url: z.url().optional(),
    credentials: shownCredentials.optional(),
    integration_config: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'fields marked `secret` are `***` without the scope `read_credentials`' }),
  })
  .meta({ id: 'IntegrationDetails' });

/** The path parameters of an integration. */
export const byKey = z.strictObject({ uniqueKey });
