import { effectiveDefinition, type ProviderDefinition } from '#contract';
import type { StoredCredentials } from '../auth-modes/auth-mode.ts';
import { credentialHeaders, credentialQuery } from '../auth-modes/credential-headers.ts';
import { AUTH_MODES } from '../auth-modes/index.ts';
import { fillProviderUrl, type TemplateSource } from '../auth-modes/provider-template.ts';
import type { Connection } from '../connections/connection.ts';
import type { FoundConnection } from '../connections/connection-cache.ts';
import { ServiceError } from '../errors.ts';
import type { Outbound } from '../kit/outbound.ts';
import { TemplateError } from '../kit/template.ts';
import { toServiceError } from './fault.ts';
import type { CredentialHeaders } from './request-headers.ts';
import type { RetryHints } from './retries.ts';
import { type AddedQuery, type Base, toBase } from './target.ts';

/** All that the calls of one connection have in common until its credentials or its integration change. */
export interface Upstream {
  readonly connection: Connection;
  /** @throws ServiceError `missing_api_url`, `address_not_allowed` */
  readonly base: () => Base;
  /** Hosts that a call may name as its base URL. */
  readonly allowedHosts: () => readonly string[];
  readonly credentials: CredentialHeaders;
  readonly addedQuery: AddedQuery;
  readonly isRefreshable: boolean;
  readonly hints: RetryHints;
}

export interface UpstreamDeps {
  readonly outbound: Pick<Outbound, 'check'>;
  readonly catalogue: { find(slug: string): { readonly definition: ProviderDefinition } | undefined };
}

interface Known {
  readonly integration: FoundConnection['integration'];
  readonly definition: ProviderDefinition;
  readonly upstream: Upstream;
}

/** By connection snapshot: templates and URLs are worked out once, not for each call. */
const known = new WeakMap<Connection, Known>();

/** @throws ServiceError `missing_api_url` without an API, `invalid_credentials` when they fit into no header */
export function upstreamOf(deps: UpstreamDeps, { integration, connection }: FoundConnection): Upstream {
  const definition = deps.catalogue.find(connection.provider)?.definition;
  if (definition?.proxy === undefined) throw missingApiUrl('the provider has no API URL');
  const before = known.get(connection);
  if (before?.integration === integration && before.definition === definition) return before.upstream;

  const upstream = makeUpstream(deps, effectiveDefinition(definition, integration.integrationConfig), {
    integration,
    connection,
  });
  known.set(connection, { integration, definition, upstream });
  return upstream;
}

function makeUpstream(
  deps: UpstreamDeps,
  definition: ProviderDefinition,
  { integration, connection }: FoundConnection,
): Upstream {
  const mode = AUTH_MODES[connection.credentials.type];
  const source: TemplateSource = {
    definition,
    integrationConfig: integration.integrationConfig,
    connectionConfig: connection.connectionConfig,
    credentials: mode.templateValues(connection.credentials),
  };
  const base = once(() => checkedBase(deps, source));
  return {
    connection,
    base,
    allowedHosts: once(() => [...(definition.proxy?.allowed_hosts ?? []), ...hostOf(base)]),
    credentials: credentialParts(source, connection.credentials),
    addedQuery: addedQuery(source),
    isRefreshable: mode.validity(connection.credentials).refreshable,
    hints: definition.proxy?.retry ?? {},
  };
}

function checkedBase({ outbound }: UpstreamDeps, source: TemplateSource): Base {
  try {
    const url = fillProviderUrl(source.definition.proxy?.base_url ?? '', source);
    outbound.check(url);
    return toBase(url);
  } catch (error) {
    if (error instanceof TemplateError) throw missingApiUrl(`the API URL of this connection cannot be made: ${error.message}`);
    throw toServiceError(error);
  }
}

/** A call may name another base URL just because there is no default one. */
function hostOf(base: () => Base): readonly string[] {
  try {
    return [base().host];
  } catch {
    return [];
  }
}

function credentialParts(source: TemplateSource, stored: StoredCredentials): CredentialHeaders {
  const headers = credentialHeaders(source, stored);
  return {
    raw: headers.flatMap(({ name, value }) => [name, value]),
    names: new Set(headers.map(({ name }) => name.toLowerCase())),
  };
}

function addedQuery(source: TemplateSource): AddedQuery {
  const pairs = Object.entries(credentialQuery(source));
  const text = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return { text, names: new Set(pairs.map(([name]) => name)) };
}

/** Remembers a value, not a failure. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function missingApiUrl(message: string): ServiceError {
  return new ServiceError('missing_api_url', message);
}
