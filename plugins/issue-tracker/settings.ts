import type { JsonObject } from '#contract';

/**
 * The scopes that registering webhooks requires unless `webhook_scopes` is set. Source: interface document, "issue-tracker
 * provider" 2.
 */
const SCOPES = ['read:tracker-work', 'manage:tracker-webhook'];

/** Settings for the provider, read from the integration's `integration_config`. */
export interface Settings {
  readonly sitesUrl: string | undefined;
  /** The URL as configured, where `{cloudId}` is a placeholder for the site's ID. */
  readonly apiBaseUrl: string | undefined;
  readonly events: readonly string[];
  readonly filter: string | undefined;
  /** True if the provider requires a filter for every kind of event. */
  readonly filtersAll: boolean;
  /** All scopes that registering webhooks requires. */
  readonly scopes: readonly string[];
}

export function settingsOf(config: JsonObject): Settings {
  const scopes = listOf(config['webhook_scopes']);
  return {
    sitesUrl: textOf(config['sites_url']),
    apiBaseUrl: textOf(config['api_base_url']),
    events: listOf(config['webhook_events']),
    filter: textOf(config['webhook_filter']),
    filtersAll: config['webhook_filter_for'] === 'all',
    scopes: scopes.length === 0 ? SCOPES : scopes,
  };
}

function listOf(value: JsonObject[string] | undefined): readonly string[] {
  const names = (textOf(value) ?? '').split(',').map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== '');
}

function textOf(value: JsonObject[string] | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
