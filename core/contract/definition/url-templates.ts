import type { ProviderDefinition } from './members.ts';

/** A URL template that a definition contains. */
export interface UrlTemplate {
  /** The names and indexes that lead to the URL in the definition. */
  readonly path: (string | number)[];
  readonly template: string;
  /** The pattern that the URL's host must match if it comes from a response. */
  readonly hostPattern?: string | undefined;
}

/** Returns all URLs to which requests or browsers are sent. */
export function urlTemplatesOf(definition: ProviderDefinition): UrlTemplate[] {
  const { installation, additional_steps: steps = [], discover = [] } = definition;
  const found = [
    ...(
      [
        'issuer',
        'authorization_url',
        'token_url',
        'refresh_url',
        'revocation_url',
        'introspection_url',
        'userinfo_url',
        'request_url',
        'mcp_server_url',
      ] as const
    ).map((name) => ({
      path: [name],
      template: definition[name],
    })),
    { path: ['installation', 'user_token_url'], template: installation?.user_token_url },
    { path: ['installation', 'user_installations', 'url'], template: installation?.user_installations.url },
    { path: ['proxy', 'base_url'], template: definition.proxy?.base_url },
    { path: ['proxy', 'verification', 'base_url'], template: definition.proxy?.verification?.base_url },
    { path: ['identity', 'base_url'], template: definition.identity?.base_url },
    ...discover.map((entry, index) => ({ path: ['discover', index, 'base_url'], template: entry.base_url })),
    ...steps.map(({ token_url: template, host_pattern: hostPattern }, index) => ({
      path: ['additional_steps', index, 'token_url'],
      template,
      hostPattern,
    })),
  ];
  return found.flatMap(({ template, ...found }) => (template === undefined ? [] : [{ ...found, template }]));
}
