import { effectiveDefinition, type ProviderPlugin, type RefreshContext, type TokenSet } from '#contract';
import { type AuthMode, type ModeInput, type StoredCredentials, TokenFailure } from '../auth-modes/auth-mode.ts';
import { fillProviderUrl } from '../auth-modes/building-blocks/provider-template.ts';
import { enteredForm } from '../auth-modes/entered-form.ts';
import { modeOf } from '../auth-modes/index.ts';
import { tokenSet } from '../auth-modes/token-set.ts';
import { validityOf } from '../auth-modes/validity.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { HookFacts } from '../catalogue/plugins/hook-context.ts';
import type { Plugins } from '../catalogue/plugins/plugins.ts';
import { callTokenHook } from '../catalogue/plugins/token-hook.ts';
import type { Connection } from '../connections/connection.ts';
import { connectionFacts } from '../connections/connection-facts.ts';
import type { Integration } from '../connections/integrations/integration.ts';
import { integrationById } from '../connections/integrations/integration-store.ts';
import { providerOf, unknownIntegration } from '../connections/integrations/integrations.ts';
import { modeInput } from '../connections/integrations/mode-input.ts';
import { ServiceError } from '../errors.ts';
import { killPoint } from '../kit/kill-point.ts';
import type { Logger } from '../kit/logger.ts';
import type { Outbound } from '../kit/outbound.ts';
import { TemplateError } from '../kit/template.ts';
import type { CredentialsDeps } from './deps.ts';
import { withRenewability } from './renewability.ts';

/**
 * How long after sending a request the crash tests kill the process (`refresh-after-send`), in milliseconds: by then a request
 * over loopback has been sent, but the test's provider has not answered yet.
 */
const SURELY_SENT_MS = 500;

/** Everything that a token call needs; loaded before the lease is claimed. */
export interface Subject {
  readonly connection: Connection;
  readonly mode: AuthMode;
  readonly input: ModeInput;
  readonly plugin: ProviderPlugin;
}

/** Loads what a token call for the connection needs. @throws ServiceError when the integration or its provider is gone */
export async function loadSubject(deps: CredentialsDeps, connection: Connection): Promise<Subject> {
  const integration = await integrationById(deps, connection.environmentId, connection.integrationId);
  if (integration === undefined) throw unknownIntegration(connection.providerConfigKey);
  return subjectOf(deps, connection, integration);
}

/**
 * Returns the subject for a loaded integration, such as one that is marked deleted.
 *
 * @throws ServiceError when its provider is gone
 */
export function subjectOf(
  deps: { readonly catalogue: Catalogue; readonly plugins: Plugins },
  connection: Connection,
  integration: Integration,
): Subject {
  const provider = providerOf(deps.catalogue, integration);
  const plugin = deps.plugins.of(provider.slug);
  const { connectionConfig, clientFingerprint } = connection;
  const input = modeInput(integration, provider, { connectionConfig, clientFingerprint, rules: plugin.auth });
  return { connection, mode: modeOf(connection.credentials), input, plugin };
}

type Called = Pick<Subject, 'input'> & { readonly connection: Pick<Connection, 'provider' | 'integrationId' | 'credentials'> };

/**
 * Returns the origin of the call that is due for the credentials: the one that refreshes them, else the one that verifies them.
 */
export function callOrigin(subject: Called): string {
  const { refreshable } = validityOf(subject.connection.credentials);
  return refreshable ? tokenOrigin(subject) : originOf(subject, subject.input.definition.proxy?.base_url);
}

export function tokenOrigin(subject: Called): string {
  const { refresh_url, token_url, issuer, mcp_server_url } = effectiveDefinition(
    subject.input.definition,
    subject.input.integrationConfig,
  );
  return originOf(subject, refresh_url ?? token_url ?? issuer ?? mcp_server_url);
}

/**
 * Returns the key by which parallel calls to the URL's host are limited. It is the origin and not the provider, since some
 * providers' templates contain a host that an end user chooses; without a URL it is the provider and the integration.
 */
function originOf({ connection, input }: Called, urlTemplate: string | undefined): string {
  try {
    if (urlTemplate !== undefined) return fillProviderUrl(urlTemplate, input).origin;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
  }
  return `${connection.provider}/${connection.integrationId}`;
}

interface BoundedCall {
  readonly now: () => Date;
  readonly timeoutMs: number;
}

/**
 * Makes one token call: with the plugin's own refresh if it has one, else with the auth mode's.
 *
 * @throws TokenFailure for any kind of failure
 */
export async function callProvider(
  deps: { readonly outbound: Outbound; readonly log: Logger },
  subject: Subject,
  call: BoundedCall,
): Promise<StoredCredentials> {
  killPoint('refresh-before-send');
  const sent = setTimeout(() => killPoint('refresh-after-send'), SURELY_SENT_MS);
  try {
    const credentials = withRenewability(deps, subject.input, await spendToken(deps, subject, call));
    killPoint('refresh-after-answer');
    return credentials;
  } catch (error) {
    throw error instanceof TokenFailure ? error : describeOther(deps.log, subject, error);
  } finally {
    clearTimeout(sent);
  }
}

async function spendToken(
  deps: { readonly outbound: Outbound; readonly log: Logger },
  subject: Subject,
  { now, timeoutMs }: BoundedCall,
): Promise<StoredCredentials> {
  const { connection, mode, input } = subject;
  const own = renewalByPlugin(subject);
  if (own !== undefined && mode.adopt !== undefined) {
    const receivedAt = now();
    const client = { ...input.client, ...mode.ownApp?.(connection.credentials) };
    const call = { ...hookFacts(subject), ...own, isRenewal: true, timeoutMs, client, now: receivedAt } as const;
    const tokens = await callTokenHook(deps, call, own.run);
    return mode.adopt(input, tokens, { receivedAt, previous: connection.credentials });
  }
  if (mode.refresh === undefined) throw new TokenFailure('refused', 'credentials of this kind cannot be refreshed');
  return mode.refresh({ outbound: deps.outbound, now, tokenCallMs: timeoutMs }, input, connection.credentials);
}

interface PluginRenewal {
  readonly hook: string;
  readonly secrets?: readonly string[];
  run(ctx: RefreshContext): Promise<TokenSet>;
}

/**
 * Returns the plugin's refresh; else its exchange of what the user entered, if the entered values are stored for that purpose.
 */
function renewalByPlugin({ plugin: { auth = {} }, mode, input, connection }: Subject): PluginRenewal | undefined {
  const { refresh, authenticate } = auth;
  if (refresh !== undefined) return { hook: 'auth.refresh', run: refresh };
  if (authenticate === undefined || mode.refresh === undefined) return undefined;
  const form = enteredForm(input, connection.credentials);
  return form && { hook: 'auth.authenticate', secrets: Object.values(form), run: (ctx) => authenticate(ctx, form) };
}

/** Returns the facts about the connection that the plugin's hooks receive. */
export function hookFacts({ connection, input }: Subject): HookFacts {
  return {
    connection: connectionFacts(connection),
    integrationConfig: input.integrationConfig,
    tokens: tokenSet(connection.credentials),
    subscription: connection.subscription,
  };
}

/**
 * Converts an error that is not a TokenFailure to one. A plugin's refusal arrives as a ServiceError. Everything else is a bug of
 * the service, after which it is unknown whether the token was spent.
 */
function describeOther(log: Logger, { connection }: Subject, error: unknown): TokenFailure {
  if (error instanceof ServiceError && error.code === 'invalid_credentials')
    return new TokenFailure('refused', 'the plugin says that this authorization has ended');
  if (error instanceof ServiceError) return new TokenFailure('unknown', `the plugin's refresh failed (${error.code})`);
  log.error('a token call failed unexpectedly', {
    error,
    connectionId: connection.connectionId,
    provider: connection.provider,
  });
  return new TokenFailure('unknown', 'the token call failed unexpectedly');
}
