import { decidingFieldsOf, effectiveDefinition } from '#contract';
import { fillProviderUrl } from '../../auth-modes/building-blocks/provider-template.ts';
import { effectiveClient } from '../../connections/integrations/effective-client.ts';
import { TemplateError } from '../../kit/template.ts';
import type { AuthorizationTarget } from '../flows/target.ts';

/** Of a URL template: what precedes its path. */
const ORIGIN = /^(?:https:\/\/[^/?]+|\$\{[\w.-]+\})/;
const APP_LINK = 'integration.appLink';

/**
 * The host on which users sign in, so that they can expect it; null where it is discovered or depends on what a user enters, or a
 * backend has set for them, which is not for browsers.
 */
export function signInHost({ integration, provider }: Pick<AuthorizationTarget, 'integration' | 'provider'>): string | null {
  const { integrationConfig } = integration;
  const definition = effectiveDefinition(provider.definition, integrationConfig);
  const { appLink } = effectiveClient(integration, provider);
  const template = definition.authorization_url ?? (appLink === undefined ? undefined : `\${${APP_LINK}}`);
  const origin = ORIGIN.exec(template ?? '')?.[0];
  if (origin === undefined || decidingFieldsOf(origin, definition).some(isNotForBrowsers)) return null;
  const credentials = appLink === undefined ? {} : { [APP_LINK]: appLink };
  try {
    return fillProviderUrl(origin, { definition, connectionConfig: {}, integrationConfig, credentials }).host;
  } catch (error) {
    if (error instanceof TemplateError) return null;
    throw error;
  }

  function isNotForBrowsers({ group, field }: ReturnType<typeof decidingFieldsOf>[number]): boolean {
    return group === 'connection_config' || definition.integration_config?.[field]?.secret === true;
  }
}
