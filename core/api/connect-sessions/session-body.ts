import * as z from 'zod';
import { anyJson } from '#contract';
import { identifier, secret, storedOverride } from '../../auth-modes/building-blocks/credential-input.ts';
import type { SessionRequest } from '../../connections/connect-sessions/session-request.ts';
import { readEndUser } from '../../connections/end-user.ts';
import { readTags } from '../../connections/tags.ts';
import { inputError } from '../../server/check-input.ts';
import { endUserInput, organizationInput } from '../connections/end-user-schemas.ts';
import { CONNECTION_ID, INTEGRATION_KEY } from '../examples.ts';
import { clearableWebhookUrl, connectionId, fitsInObject, tagsShape, uniqueKey } from '../schemas.ts';

const MAX_INTEGRATIONS = 1000;
const MAX_AUTHORIZATION_PARAMS = 100;
const MAX_SCOPES = 8192;

const scopes = z.string().max(MAX_SCOPES);

const presetConfig = z
  .object({
    oauth_client_id_override: identifier.optional().meta({ description: 'replaces the integration’s client ID' }),
    oauth_client_secret_override: secret.optional().meta({ description: 'replaces the integration’s client secret' }),
    oauth_scopes_override: scopes.optional().meta({ description: 'comma-separated; replaces the integration’s scopes' }),
    webhook_url: clearableWebhookUrl.optional().meta({ deprecated: true, description: 'use `webhook_url_override`' }),
  })
  .catchall(anyJson)
  .refine(...fitsInObject);

const preset = z.strictObject({
  user_scopes: scopes.optional().meta({ description: 'comma-separated user scopes, Slack’s `user_scope`' }),
  authorization_params: z
    .record(z.string().min(1).max(255), z.string().max(4096))
    .refine(atMost(MAX_AUTHORIZATION_PARAMS), `may have at most ${MAX_AUTHORIZATION_PARAMS} parameters`)
    .optional()
    .meta({ description: 'parameters added to the provider’s authorization URL', example: { prompt: 'consent' } }),
  connection_config: presetConfig.optional(),
});

/** The URL of a guide to connecting, which the connect window offers to end users. */
export const guideUrl = z.string().max(2048).refine(isHttps, 'must be an https URL without user name and password');

const override = z.strictObject({ docs_connect: guideUrl.optional() });

const common = {
  tags: tagsShape.optional(),
  end_user: endUserInput.optional().meta({ deprecated: true, description: 'use `tags`' }),
  organization: organizationInput.optional().meta({ deprecated: true, description: 'use `tags`' }),
  integrations_config_defaults: byIntegration(preset),
  overrides: byIntegration(override),
  choices: byIntegration(z.string().min(1).max(255)).meta({
    description: 'where the provider lists several accounts, sites or workspaces: the ID of the one to connect',
    example: { [INTEGRATION_KEY]: 'site-1' },
  }),
  webhook_url_override: clearableWebhookUrl.optional(),
  return_url: z
    .string()
    .min(1)
    .max(2048)
    .optional()
    .meta({
      description:
        'URL to which a connect link leads at the end, with `svc_status` (`connected`, `failed` or `closed`) and `integration` in ' +
        'its query: https, and below one of the environment’s return URLs (`env set --return-urls`)',
      example: 'https://app.example.com/settings',
    }),
};

export const sessionBody = z
  .strictObject({
    ...common,
    allowed_integrations: z
      .array(uniqueKey)
      .min(1, 'must name at least one integration; omit it to allow all')
      .max(MAX_INTEGRATIONS)
      .optional()
      .meta({ description: 'default: all integrations; an empty list is rejected' }),
  })
  .meta({ id: 'ConnectSessionRequest' });

export const reconnectBody = z
  .strictObject({
    ...common,
    connection_id: connectionId,
    integration_id: uniqueKey,
    allow_account_change: z.boolean().optional().meta({
      description: 'true: the user may choose another account at the provider; default: false, which leads to `wrong_account`',
    }),
  })
  .meta({ id: 'ReconnectSessionRequest' });

export const SESSION_BODY = {
  tags: { end_user_id: 'user-123', end_user_email: 'ada@example.com', organization_id: 'org-7' },
  allowed_integrations: [INTEGRATION_KEY],
  integrations_config_defaults: {
    [INTEGRATION_KEY]: { authorization_params: { prompt: 'consent' }, connection_config: { subdomain: 'acme' } },
  },
  overrides: { [INTEGRATION_KEY]: { docs_connect: 'https://docs.example.com/connect' } },
};

export const RECONNECT_BODY = { connection_id: CONNECTION_ID, integration_id: INTEGRATION_KEY };

type Body = Omit<z.output<typeof reconnectBody>, 'connection_id' | 'integration_id' | 'allow_account_change'>;
type Preset = z.output<typeof preset>;

/** Reads the body of a session request. @throws ServiceError `invalid_body` for faults that only several fields together have */
export function readSessionBody(body: Body): SessionRequest {
  const presets = Object.entries(body.integrations_config_defaults ?? {});
  const overrides = Object.entries(body.overrides ?? {});
  const choices = Object.entries(body.choices ?? {});
  const { end_user: endUser, organization } = body;
  const webhookUrl = body.webhook_url_override ?? nestedWebhookUrl(presets);
  return {
    attributes: {
      ...(body.tags !== undefined && { tags: readTags(body.tags, { code: 'invalid_body', path: ['tags'] }) }),
      ...(endUser !== undefined && { endUser: readEndUser(endUser, organization) }),
      ...(webhookUrl !== undefined && { webhookUrlOverride: webhookUrl }),
    },
    ...(endUser === undefined &&
      organization !== undefined && {
        organization: { id: organization.id, display_name: organization.display_name ?? null },
      }),
    ...(body.return_url !== undefined && { returnUrl: body.return_url }),
    presets: withChoices(Object.fromEntries(presets.map(([key, one]) => [key, readPreset(one)])), choices),
    overrides: Object.fromEntries(
      overrides.map(([key, { docs_connect: docsConnect }]) => [key, { ...(docsConnect !== undefined && { docsConnect }) }]),
    ),
  };
}

function withChoices(
  presets: SessionRequest['presets'],
  choices: readonly (readonly [key: string, choice: string])[],
): SessionRequest['presets'] {
  return { ...presets, ...Object.fromEntries(choices.map(([key, choice]) => [key, { ...presets[key], choice }])) };
}

function readPreset({ connection_config: config, authorization_params: params, user_scopes: userScopes }: Preset) {
  const { webhook_url: _, oauth_client_id_override, oauth_client_secret_override, ...connectionConfig } = config ?? {};
  const ownApp = storedOverride({ client_id: oauth_client_id_override, client_secret: oauth_client_secret_override });
  return {
    connectionConfig: connectionConfig as PresetConfig,
    ...(Object.keys(ownApp).length > 0 && { ownApp }),
    ...(params !== undefined && { authorizationParams: params }),
    ...(userScopes !== undefined && { userScopes }),
  };
}

type PresetConfig = NonNullable<SessionRequest['presets'][string]['connectionConfig']>;

/**
 * Returns the webhook URL from the deprecated `connection_config.webhook_url`, which must be the same for all integrations of a
 * session.
 */
function nestedWebhookUrl(presets: readonly (readonly [string, Preset])[]): string | undefined {
  const given = presets.flatMap(([key, { connection_config: config }]) =>
    config?.webhook_url === undefined ? [] : [{ key, url: config.webhook_url }],
  );
  const other = given.find(({ url }) => url !== given[0]?.url);
  if (other === undefined) return given[0]?.url;
  const path = ['integrations_config_defaults', other.key, 'connection_config', 'webhook_url'];
  throw inputError('invalid_body', [{ code: 'invalid_value', message: 'must be the same for all integrations', path }]);
}

function byIntegration<T extends z.ZodType>(one: T) {
  return z
    .record(uniqueKey, one)
    .refine(atMost(MAX_INTEGRATIONS), `may have at most ${MAX_INTEGRATIONS} integrations`)
    .optional();
}

function atMost(count: number): (members: object) => boolean {
  return (members) => Object.keys(members).length <= count;
}

function isHttps(text: string): boolean {
  const url = /\s/.test(text) ? null : URL.parse(text);
  return url !== null && url.protocol === 'https:' && url.username === '' && url.password === '';
}
