import type { JsonObject } from '#contract';

/** Without a declaration of its own a provider asks for these. Source: interface document, "issue-tracker provider" 2. */
const SCOPES = ['read:tracker-work', 'manage:tracker-webhook'];

/** What `integration_config` says of the provider. */
export interface Settings {
  readonly sitesUrl: string | undefined;
  /** As it is set: `{cloudId}` in it stands for the site's ID. */
  readonly apiBaseUrl: string | undefined;
  readonly events: readonly string[];
  readonly filter: string | undefined;
  /** Whether the provider wants a filter with every kind of event. */
  readonly filtersAll: boolean;
  /** Both are needed to register. */
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
