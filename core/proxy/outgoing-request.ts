import type { OutgoingRequest } from '#contract';
import { tokenSet } from '../auth-modes/token-set.ts';
import { callRule } from '../catalogue/plugins/call-rule.ts';
import { pluginSignature } from '../catalogue/webhooks/plugin-signature.ts';
import { connectionFacts } from '../connections/connection-facts.ts';
import { copyJson } from '../kit/exact-json.ts';
import { checkedHeader, isFraming } from '../kit/header-syntax.ts';
import type { ProxyDeps } from './deps.ts';
import { headerPairs, headerValue, joinedByName, type RawHeaders } from './raw-headers.ts';
import type { RequestBody } from './request-body.ts';
import { requestHeaders, withoutNames } from './request-headers.ts';
import type { ResolvedUpstream } from './resolve.ts';
import { addedQuery, isAllowedHost, joinQuery, type UpstreamTarget } from './target.ts';
import type { Upstream } from './upstream.ts';

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

interface Outgoing {
  readonly method: string;
  /** The caller's headers. */
  readonly headers: RawHeaders;
  readonly body: RequestBody;
}

/**
 * Returns the head of the request to the provider: the caller's headers and the connection's, then a signature if the auth mode
 * has one, which replaces headers of the same names, then the changes of the plugin and the plugin's signature. Most connections
 * need neither signature nor plugin.
 *
 * @throws ServiceError `payload_too_large` for a body that is too large to be signed; the error of a plugin or signature that
 *   fails
 */
export async function outgoingHead(
  deps: ProxyDeps,
  { upstream, target }: ResolvedUpstream,
  { method, headers, body }: Outgoing,
): Promise<RequestHead> {
  const { credentials } = upstream;
  const merged = requestHeaders(headers, { framing: body.framing, credentials, clientPrefix: deps.clientPrefix });
  const head = await signedHead(deps, upstream, { head: { method, target, headers: merged }, body });
  return signedByPlugin(deps, upstream, { head: decoratedByPlugin(deps, upstream, head), body });
}

/** Adds the auth mode's signature, which replaces headers of the same names. Waits for the body if the signature covers it. */
async function signedHead(
  { clock }: ProxyDeps,
  { sign, signsBody }: Upstream,
  { head, body }: { readonly head: RequestHead; readonly body: RequestBody },
): Promise<RequestHead> {
  if (sign === undefined) return head;
  const { method, target, headers } = head;
  const isForm = FORM.test(headerValue(headers, 'content-type') ?? '');
  const covered = {
    ...(isForm && { form: (await body.whole()).toString('utf8') }),
    ...(signsBody && { body: await body.whole() }),
  };
  const signature = sign({ method, ...target, headers: headerPairs(headers), ...covered, at: clock.now() });
  const added = signature.flatMap(({ name, value }) => [name, value]);
  return { ...head, headers: [...withoutNames(headers, added), ...added] };
}

function decoratedByPlugin(
  { outbound, log }: ProxyDeps,
  { connection, rules, allowedHosts }: Upstream,
  head: RequestHead,
): RequestHead {
  const decorate = rules?.decorate;
  if (decorate === undefined) return head;
  const { provider, connectionId, credentials } = connection;
  const call = { rule: 'proxy.decorate', provider, connectionId, tokens: () => tokenSet(credentials) };
  return callRule({ log }, call, () =>
    decorated(head, {
      decorate: (request) => decorate(request, copyJson(connectionFacts(connection))),
      outbound,
      allowedHosts,
    }),
  );
}

/**
 * Adds the plugin's signature, as the last step, since it covers what is sent. It replaces headers and parameters of the same
 * names.
 */
async function signedByPlugin(
  { clock, log }: ProxyDeps,
  { connection, integration, rules }: Upstream,
  { head, body }: { readonly head: RequestHead; readonly body: RequestBody },
): Promise<RequestHead> {
  const { sign, signsBody } = rules ?? {};
  if (sign === undefined) return head;
  const { method, target, headers } = head;
  const { provider, connectionId, connectionConfig } = connection;
  const { integrationConfig } = integration;
  const credentials = { tokens: tokenSet(connection.credentials), connectionConfig, integrationConfig };
  const signature = await pluginSignature(
    { log },
    { rules: { sign, ...(signsBody && { signsBody }) }, provider, connectionId, credentials },
    {
      request: { method, url: new URL(target.origin + target.path), headers: withoutFraming(headers) },
      at: clock.now(),
      wholeBody: () => body.whole(),
    },
  );
  const added = signature.headers.flat();
  const [path, query] = splitAtQuery(target.path);
  return {
    method,
    target: { ...target, path: path + joinQuery(query, addedQuery(signature.query)) },
    headers: [...withoutNames(headers, added), ...added],
  };
}

function withoutFraming(headers: RawHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(joinedByName(headers)).filter(([name]) => !isFraming(name)));
}

/** Returns the path, and the query with its question mark. */
function splitAtQuery(path: string): [path: string, query: string] {
  const at = path.indexOf('?');
  return at === -1 ? [path, ''] : [path.slice(0, at), path.slice(at)];
}

/** The head of a request, ready to be sent. */
interface RequestHead {
  readonly method: string;
  readonly target: UpstreamTarget;
  readonly headers: string[];
}

interface Decoration {
  readonly decorate: (request: OutgoingRequest) => OutgoingRequest;
  /** Throws for a URL that must not be called. */
  readonly outbound: Pick<ProxyDeps['outbound'], 'check'>;
  readonly allowedHosts: readonly string[];
}

/**
 * Returns the head after the plugin's `decorate`; unchanged headers are sent byte for byte as they were.
 *
 * @throws Error if the plugin changes the method or a header of the framing, or changes the host to one that is not allowed
 */
function decorated({ method, target, headers }: RequestHead, decoration: Decoration): RequestHead {
  const { href } = new URL(target.origin + target.path);
  const before = joinedByName(headers.filter((_, index) => !isFraming(nameAt(headers, index))));
  const request: unknown = decoration.decorate({ method, url: new URL(href), headers: { ...before } });
  if (!isRequest(request)) throw new Error('it returned no request');
  if (request.method !== method) throw new Error('it changed the method');
  return {
    method,
    target: request.url.href === href ? target : allowedTarget(request.url, target, decoration),
    headers: mergedHeaders(headers, before, request.headers),
  };
}

function isRequest(value: unknown): value is OutgoingRequest {
  if (typeof value !== 'object' || value === null) return false;
  const { url, headers }: { url?: unknown; headers?: unknown } = value;
  return url instanceof URL && typeof headers === 'object' && headers !== null;
}

/**
 * Checks the URL that a plugin returned. The request carries credentials, so it may only go where calls of this connection may
 * go.
 */
function allowedTarget(url: URL, { origin }: UpstreamTarget, { outbound, allowedHosts }: Decoration): UpstreamTarget {
  if (url.username !== '' || url.password !== '' || url.hash !== '') throw new Error('its URL has a user name or a fragment');
  if (url.origin !== origin && !isAllowedHost(url, allowedHosts)) throw new Error('its host is not an allowed host');
  outbound.check(url);
  return { origin: url.origin, path: url.pathname + url.search };
}

function mergedHeaders(
  headers: RawHeaders,
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): string[] {
  const changed = new Map<string, string>();
  for (const [name, value] of Object.entries(after)) changed.set(...checkedHeader(name, value));
  const isKept = (name: string) => isFraming(name) || (changed.has(name) && changed.get(name) === before[name]);
  const kept = headers.filter((_, index) => isKept(nameAt(headers, index)));
  const set = [...changed].filter(([name, value]) => before[name] !== value);
  return [...kept, ...set.flat()];
}

/** Returns the header name at this index, or the name that belongs to the value at this index; in lower case. */
function nameAt(headers: RawHeaders, index: number): string {
  return (headers[index - (index % 2)] ?? '').toLowerCase();
}
