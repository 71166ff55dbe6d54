import * as z from 'zod';
import { findTarget } from '../../connect/flows/target.ts';
import { callbackToRegister } from '../../connect/form/callback-to-register.ts';
import { connectForm } from '../../connect/form/connect-form.ts';
import { logoUrl } from '../../connections/integrations/integration-record.ts';
import { defineRoute } from '../../server/route.ts';
import { sessionOf } from '../connect-sessions/session-of.ts';
import { INTEGRATION_KEY } from '../examples.ts';
import { uniqueKey } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { FIELD, fieldRecord, WAY } from './connect-form-schemas.ts';

const form = z
  .strictObject({
    unique_key: z.string(),
    display_name: z.string(),
    provider: z.string(),
    logo_url: z.url(),
    way: WAY,
    sign_in_host: z
      .string()
      .nullable()
      .meta({ description: 'host of the page where the user signs in; null: not known in advance', example: 'github.com' }),
    guide_url: z.url().nullable().meta({ description: 'guide to finding the values that the form asks for' }),
    scopes: z
      .array(z.strictObject({ name: z.string(), description: z.string() }))
      .meta({ description: 'requested scopes that the provider’s definition describes' }),
    fields: z
      .array(fieldRecord)
      .meta({ description: 'fields to ask for, in this order; fields with values set by the backend are omitted' }),
    is_reconnect: z.boolean(),
    callback_url: z
      .url()
      .nullable()
      .meta({ description: 'URL to register at the provider; null in production environments, and where none is needed' }),
  })
  .meta({ id: 'ConnectForm' });

const EXAMPLE = {
  unique_key: INTEGRATION_KEY,
  display_name: 'Example',
  provider: INTEGRATION_KEY,
  logo_url: 'https://svc.example.com/logos/example.svg',
  way: 'form',
  sign_in_host: null,
  guide_url: 'https://docs.example.com/connect',
  scopes: [],
  fields: [FIELD],
  is_reconnect: false,
  callback_url: null,
};

const read = defineRoute({
  method: 'GET',
  path: '/connect/integrations/:uniqueKey',
  operationId: 'getConnectForm',
  access: { session: true },
  summary: 'Get the form for a user who connects an integration',
  tag: 'Connect sessions',
  params: z.strictObject({ uniqueKey }),
  responses: {
    200: { description: 'The form.', schema: z.strictObject({ data: form }), example: { data: EXAMPLE } },
    400: { description: 'The session does not allow the integration, or users cannot connect it.' },
    404: { description: 'There is no such integration, or the connection to reauthorize has been deleted.' },
  },
  async handle(services: ApiServices, { caller, params }) {
    const target = await findTarget(services, sessionOf(caller), params.uniqueKey);
    const { integration } = target;
    const { way, signInHost, guideUrl, scopes, fields, isReconnect } = connectForm(target);
    const data = {
      unique_key: integration.uniqueKey,
      display_name: integration.displayName,
      provider: integration.provider,
      logo_url: logoUrl(services.baseUrl, integration.provider),
      way,
      sign_in_host: signInHost,
      guide_url: guideUrl,
      scopes,
      fields,
      is_reconnect: isReconnect,
      callback_url: await callbackToRegister(services, target),
    };
    return { body: { data } };
  },
});

export const connectFormRoutes = [read];
