import type { ModeInput, StoredCredentials } from '../auth-modes/auth-mode.ts';
import { type CredentialHeaders, credentialHeaders, credentialQuery } from '../auth-modes/credential-headers.ts';
import { modeOf } from '../auth-modes/index.ts';
import { fillProviderUrl, fillTexts, type TemplateSource } from '../auth-modes/provider-template.ts';
import { ServiceError } from '../errors.ts';
import { systemClock } from '../kit/clock.ts';
import { type Outbound, OutboundError } from '../kit/outbound.ts';
import { TemplateError } from '../kit/template.ts';

/**
 * What the provider's verification call says of credentials. `unfit`: they cannot be sent; `unclear`: an answer that is neither
 * yes nor "who are you" (RFC 9110 §15.5.2, §15.5.4); `unavailable`: the provider cannot be asked now.
 */
export type Verdict =
  | { readonly kind: 'not_declared' | 'accepted' }
  | { readonly kind: 'refused' | 'unclear' | 'unavailable'; readonly status: number }
  | { readonly kind: 'unfit'; readonly cause: Error };

interface Probes {
  readonly method: 'GET' | 'POST' | 'HEAD';
  readonly urls: readonly URL[];
  readonly headers: Readonly<Record<string, string>>;
  readonly signed: CredentialHeaders['signed'];
}

/** Makes the definition's verification call: its endpoints in order, until one answers 2xx. */
export async function askProvider(outbound: Outbound, input: ModeInput, credentials: StoredCredentials): Promise<Verdict> {
  const probes = probesOf(input, credentials);
  if (probes instanceof Error) return { kind: 'unfit', cause: probes };
  let status: number | undefined;
  for (const url of probes.urls) {
    status = await statusOf(outbound, probes, url);
    if (status >= 200 && status < 300) return { kind: 'accepted' };
  }
  return status === undefined ? { kind: 'not_declared' } : { kind: kindOf(status), status };
}

/**
 * Proves that new credentials work before anything is written.
 *
 * @throws ServiceError `connection_test_failed` when the provider refuses them or they cannot be sent, `provider_unavailable`
 *   when it cannot be asked
 */
export async function verifyCredentials(outbound: Outbound, input: ModeInput, credentials: StoredCredentials): Promise<void> {
  const verdict = await askProvider(outbound, input, credentials);
  switch (verdict.kind) {
    case 'unfit': {
      const message = `the verification call cannot be made: ${verdict.cause.message}`;
      throw new ServiceError('connection_test_failed', message, { cause: verdict.cause });
    }
    case 'unavailable':
      throw new ServiceError('provider_unavailable', unavailable(verdict.status));
    case 'refused':
    case 'unclear':
      throw new ServiceError('connection_test_failed', `the provider refused the credentials (${verdict.status})`);
  }
}

function unavailable(status: number): string {
  return status === 0
    ? 'the provider could not be reached to verify the credentials'
    : `the provider answered ${status}; try again`;
}

function kindOf(status: number): 'refused' | 'unclear' | 'unavailable' {
  if (status === 0 || status >= 500 || status === 429) return 'unavailable';
  return status === 401 || status === 403 ? 'refused' : 'unclear';
}

function probesOf(input: ModeInput, credentials: StoredCredentials): Probes | Error {
  const { proxy } = input.definition;
  if (proxy?.verification === undefined) return { method: 'GET', urls: [], headers: {}, signed: undefined };
  const { method = 'GET', endpoints, headers } = proxy.verification;
  const source = { ...input, credentials: modeOf(credentials).templateValues(credentials) };
  try {
    const { fixed, signed } = credentialHeaders(source, credentials);
    const own = fixed.map(({ name, value }) => [name, value] as const);
    return {
      method,
      urls: endpoints.map((endpoint) => probeUrl(proxy.base_url, endpoint, source)),
      headers: lowerCased([...own, ...Object.entries(fillTexts(headers, source))]),
      signed,
    };
  } catch (cause) {
    if (cause instanceof TemplateError || cause instanceof ServiceError) return cause;
    throw cause;
  }
}

/** Of two that differ in case alone the later one counts. */
function lowerCased(headers: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
}

/** Joined while both are templates: what has been filled in is never read as a template again. */
function probeUrl(base: string, endpoint: string, source: TemplateSource): URL {
  const [path = '', query = ''] = base.split('?', 2);
  const joined = `${path.replace(/(?<!\/)\/+$/, '')}/${endpoint.replace(/^\/+/, '')}`;
  const separator = joined.includes('?') ? '&' : '?';
  const url = fillProviderUrl(query === '' ? joined : joined + separator + query, source);
  for (const [name, value] of Object.entries(credentialQuery(source))) url.searchParams.set(name, value);
  return url;
}

/** 0 when no answer came. */
async function statusOf(outbound: Outbound, { method, headers, signed }: Probes, url: URL): Promise<number> {
  const request = { method, origin: url.origin, path: url.pathname + url.search, at: systemClock.now() };
  const signature = signed?.(request).map(({ name, value }) => [name, value] as const) ?? [];
  try {
    return (await outbound.call(url, { method, headers: { ...headers, ...lowerCased(signature) } })).status;
  } catch (cause) {
    if (!(cause instanceof OutboundError)) throw cause;
    return 0;
  }
}
