import type { ModeInput, StoredCredentials } from '../auth-modes/auth-mode.ts';
import { credentialHeaders, credentialQuery } from '../auth-modes/credential-headers.ts';
import { AUTH_MODES } from '../auth-modes/index.ts';
import { fillProviderUrl, fillTexts, type TemplateSource } from '../auth-modes/provider-template.ts';
import { ServiceError } from '../errors.ts';
import { type Outbound, OutboundError, type OutboundRequest } from '../kit/outbound.ts';
import { TemplateError } from '../kit/template.ts';

/** One way to ask the provider whether it takes the credentials. */
interface Probe {
  readonly url: URL;
  readonly request: Pick<OutboundRequest, 'method' | 'headers'>;
}

/**
 * Makes the definition's verification call, if it has one: proves that new credentials work before anything is written.
 *
 * @throws ServiceError `connection_test_failed` when the provider refuses them or they cannot be sent, `provider_unavailable`
 *   when it cannot be asked
 */
export async function verifyCredentials(outbound: Outbound, input: ModeInput, credentials: StoredCredentials): Promise<void> {
  let lastStatus = 0;
  const probes = probesOf(input, credentials);
  for (const probe of probes) {
    lastStatus = await statusOf(outbound, probe);
    if (lastStatus >= 200 && lastStatus < 300) return;
  }
  if (probes.length === 0) return;
  if (lastStatus >= 500 || lastStatus === 429)
    throw new ServiceError('provider_unavailable', `the provider answered ${lastStatus}; try again`);
  throw new ServiceError('connection_test_failed', `the provider refused the credentials (${lastStatus})`);
}

function probesOf(input: ModeInput, credentials: StoredCredentials): readonly Probe[] {
  const { proxy } = input.definition;
  if (proxy?.verification === undefined || proxy.base_url === undefined) return [];
  const { method = 'GET', endpoints, headers } = proxy.verification;
  const base = proxy.base_url;
  const source = { ...input, credentials: AUTH_MODES[credentials.type].templateValues(credentials) };
  try {
    const own = credentialHeaders(source, credentials).map(({ name, value }) => [name, value] as const);
    const request = { method, headers: lowerCased([...own, ...Object.entries(fillTexts(headers, source))]) };
    return endpoints.map((endpoint) => ({ url: probeUrl(base, endpoint, source), request }));
  } catch (cause) {
    const isUnfit = cause instanceof TemplateError || (cause instanceof ServiceError && cause.code === 'invalid_credentials');
    if (!isUnfit) throw cause;
    throw new ServiceError('connection_test_failed', `the verification call cannot be made: ${cause.message}`, { cause });
  }
}

/** Of two that differ in case alone the later one counts. */
function lowerCased(headers: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
}

/** Joined while both are templates: what has been filled in is never read as a template again. */
function probeUrl(base: string, endpoint: string, source: TemplateSource): URL {
  const [path = '', query = ''] = base.split('?', 2);
  const joined = `${path.replace(/\/+$/, '')}/${endpoint.replace(/^\/+/, '')}`;
  const separator = joined.includes('?') ? '&' : '?';
  const url = fillProviderUrl(query === '' ? joined : joined + separator + query, source);
  for (const [name, value] of Object.entries(credentialQuery(source))) url.searchParams.set(name, value);
  return url;
}

async function statusOf(outbound: Outbound, { url, request }: Probe): Promise<number> {
  try {
    return (await outbound.call(url, request)).status;
  } catch (cause) {
    if (!(cause instanceof OutboundError)) throw cause;
    throw new ServiceError('provider_unavailable', 'the provider could not be reached to verify the credentials', { cause });
  }
}
