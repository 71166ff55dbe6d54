import { effectiveDefinition, type ProviderDefinition } from '#contract';
import { AUTH_MODES } from '../auth-modes/index.ts';
import { fillProviderUrl, fillTexts, type TemplateSource } from '../auth-modes/provider-template.ts';
import type { Connection } from '../connections/connection.ts';
import { ServiceError } from '../errors.ts';
import type { Integration } from '../integrations/integration.ts';
import type { Outbound } from '../kit/outbound.ts';
import { TemplateError } from '../kit/template.ts';
import { toServiceError } from './exchange.ts';
import type { CredentialHeaders } from './request-headers.ts';
import type { RetryHints } from './retries.ts';
import { type AddedQuery, type Base, toBase } from './target.ts';

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The integration and the connection a call names. Snapshots: a change brings new objects. */
export interface Found {
  readonly integration: Integration;
  readonly connection: Connection;
}

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
  readonly integration: Integration;
  readonly definition: ProviderDefinition;
  readonly upstream: Upstream;
}

/** By connection snapshot: templates and URLs are worked out once, not for each call. */
const known = new WeakMap<Connection, Known>();

/** @throws ServiceError `missing_api_url` without an API, `invalid_credentials` when they fit into no header */
export function upstreamOf(deps: UpstreamDeps, { integration, connection }: Found): Upstream {
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

function makeUpstream(deps: UpstreamDeps, definition: ProviderDefinition, { integration, connection }: Found): Upstream {
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
    credentials: credentialHeaders(source, mode.sign(connection.credentials).headers),
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

/** The mode's own headers, and the definition's in their place where both name one. */
function credentialHeaders(source: TemplateSource, signed: Readonly<Record<string, string>>): CredentialHeaders {
  const byName = new Map<string, readonly [string, string]>();
  const declared = filled(() => fillTexts(source.definition.proxy?.headers, source));
  for (const [name, value] of [...Object.entries(signed), ...Object.entries(declared)]) {
    if (!HEADER_VALUE.test(value)) throw unfit(`they do not fit into the header ${name}`);
    byName.set(name.toLowerCase(), [name, value]);
  }
  return { raw: [...byName.values()].flat(), names: new Set(byName.keys()) };
}

function addedQuery(source: TemplateSource): AddedQuery {
  const pairs = Object.entries(filled(() => fillTexts(source.definition.proxy?.query, source)));
  const text = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return { text, names: new Set(pairs.map(([name]) => name)) };
}

function filled(fill: () => Record<string, string>): Record<string, string> {
  try {
    return fill();
  } catch (error) {
    if (error instanceof TemplateError) throw unfit(error.message);
    throw error;
  }
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

function unfit(fault: string): ServiceError {
  return new ServiceError('invalid_credentials', `the credentials of this connection cannot be sent: ${fault}`);
}
