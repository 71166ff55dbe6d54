import type * as z from 'zod';
import type { ProviderDefinition } from './members.ts';

const CONNECTION_FIELD = /\$\{(?:connectionConfig|maps)\.([\w-]+)/g;

/**
 * Without a code nothing proves that the consent was given by whoever comes back: anyone can write another value into the callback.
 * So only the application's backend may say whose tokens the app asks for.
 */
export function requireFixedOwner(definition: ProviderDefinition, check: z.core.$RefinementCtx): void {
  const { callback, connection_config: fields = {}, redirect_uri_metadata: brought = [] } = definition;
  if (callback?.grant !== 'client_credentials') return;
  const { issuer, token_url, token_params, token_headers, client_assertion } = definition;
  const request = JSON.stringify([issuer, token_url, token_params, token_headers, client_assertion]);
  for (const [, name = ''] of request.matchAll(CONNECTION_FIELD)) {
    const isHidden = Object.hasOwn(fields, name) && fields[name]?.hidden === true;
    if (isHidden && !brought.includes(name)) continue;
    const message = `"${name}" decides whose tokens are issued: it must be a hidden field, and must not come from the callback`;
    check.addIssue({ code: 'custom', path: ['callback', 'grant'], message });
  }
}
