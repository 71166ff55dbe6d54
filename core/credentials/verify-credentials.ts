import { effectiveDefinition, type ProviderDefinition, valueAt } from '#contract';
import type { Operation } from '../activity/activity.ts';
import type { ModeInput, StoredCredentials } from '../auth-modes/auth-mode.ts';
import { type CredentialHeaders, credentialHeaders, credentialQuery } from '../auth-modes/credential-headers.ts';
import { modeOf } from '../auth-modes/index.ts';
import { fillProviderUrl, fillTexts, type TemplateSource } from '../auth-modes/provider-template.ts';
import { ServiceError } from '../errors.ts';
import { withLowerCaseNames } from '../kit/header-names.ts';
import { OutboundError, type OutboundResponse } from '../kit/outbound.ts';
import { TemplateError } from '../kit/template.ts';
import type { CredentialsDeps } from './deps.ts';

/**
 * The result of the provider's verification call. `refused`: they do not work; `unproven`: a response that says nothing
 * about them, such as that of an address that moved; `unavailable`: the provider cannot be asked now; `unfit`: they cannot be
 * sent.
 */
export type VerificationResult =
  | { readonly kind: 'not_declared' | 'accepted' }
  | { readonly kind: 'refused' | 'unproven' | 'unavailable'; readonly status: number }
  | { readonly kind: 'unfit'; readonly cause: Error };

/** The address of the call is wrong, or its method: nothing about the credentials (RFC 9110 §15.5.5, §15.5.6, §15.5.11). */
const MISPLACED = [404, 405, 410];

const UNPROVEN = 'the verification call proved nothing; the credentials are accepted as they are';

interface Probes {
  readonly method: 'GET' | 'POST' | 'HEAD';
  readonly urls: readonly URL[];
  readonly headers: Readonly<Record<string, string>>;
  readonly signed: CredentialHeaders['signed'];
}

/** Makes the definition's verification call: its endpoints in order, until one accepts. None where the integration wants none. */
export async function probeProvider(
  deps: Pick<CredentialsDeps, 'outbound' | 'clock'>,
  input: ModeInput,
  credentials: StoredCredentials,
): Promise<VerificationResult> {
  const { verify, proxy } = effectiveDefinition(input.definition, input.integrationConfig);
  if (verify === 'off') return { kind: 'not_declared' };
  const probes = probesOf(input, credentials);
  if (probes instanceof Error) return { kind: 'unfit', cause: probes };
  const rule = { expect: proxy?.verification?.expect, needProof: needProof(credentials) };
  let result: VerificationResult = { kind: 'not_declared' };
  for (const url of probes.urls) {
    const response = await probe(deps, probes, url);
    if (response instanceof OutboundError) return { kind: 'unfit', cause: response };
    const next = resultOf(response, rule);
    if (next.kind === 'accepted') return next;
    // A refusal by one endpoint outweighs the absence of another.
    if (result.kind !== 'refused') result = next;
  }
  return result;
}

/**
 * Proves that new credentials work before anything is written. What an OAuth exchange brought is proven already: only a clear no
 * counts there.
 *
 * @throws ServiceError `connection_test_failed` when the provider refuses them, they cannot be sent, or imported ones stay unproven;
 *   `provider_unavailable` when it cannot be asked about imported ones
 */
export async function verifyCredentials(
  deps: Pick<CredentialsDeps, 'outbound' | 'clock' | 'log'> & Pick<Operation, 'note'>,
  input: ModeInput,
  credentials: StoredCredentials,
): Promise<void> {
  const result = await probeProvider(deps, input, credentials);
  switch (result.kind) {
    case 'unfit': {
      const message = `the verification call cannot be made: ${result.cause.message}`;
      throw new ServiceError('connection_test_failed', message, { cause: result.cause });
    }
    case 'refused':
      throw new ServiceError('connection_test_failed', `the provider refused the credentials (${result.status})`);
    case 'unproven':
    case 'unavailable':
      if (needProof(credentials) && isProofRequired(input)) throw unprovenError(result);
      deps.log.warn(UNPROVEN, { provider: input.provider, ...result });
      deps.note('warn', UNPROVEN, result);
  }
}

function isProofRequired({ definition, integrationConfig }: ModeInput): boolean {
  const { verify = 'required', proxy } = effectiveDefinition(definition, integrationConfig);
  return verify === 'required' && proxy?.verification?.required !== false;
}

/** Neither a code exchange nor a token request has proven them. */
function needProof(credentials: StoredCredentials): boolean {
  const { complete, prepare, isProvenByCall } = modeOf(credentials);
  return isProvenByCall === true || (complete === undefined && prepare === undefined);
}

function unprovenError({ kind, status }: Extract<VerificationResult, { status: number }>): ServiceError {
  if (kind === 'unavailable') return new ServiceError('provider_unavailable', unavailable(status));
  const message = `the provider returned ${status}, which does not prove the credentials; see \`verify\` of integration_config`;
  return new ServiceError('connection_test_failed', message);
}

function unavailable(status: number): string {
  return status === 0
    ? 'the provider could not be reached to verify the credentials'
    : `the provider returned ${status}; try again`;
}

interface Rule {
  readonly expect: NonNullable<NonNullable<ProviderDefinition['proxy']>['verification']>['expect'];
  readonly needProof: boolean;
}

/** @param response undefined when none came */
function resultOf(response: OutboundResponse | undefined, { expect, needProof }: Rule): VerificationResult {
  const status = response?.status ?? 0;
  if (response === undefined || status >= 500 || status === 429) return { kind: 'unavailable', status };
  // 403 may be about a scope or a limit of a token that works.
  if (status === 401 || (status === 403 && needProof)) return { kind: 'refused', status };
  const isMisplaced = (status >= 300 && status < 400) || MISPLACED.includes(status);
  if (isMisplaced || status === 403) return { kind: 'unproven', status };
  if (expect === undefined) return status < 300 ? { kind: 'accepted' } : { kind: 'unproven', status };
  const body = readJson(response.body);
  if (body === undefined) return { kind: 'unproven', status };
  return valueAt(body, expect.path) === expect.equals ? { kind: 'accepted' } : { kind: 'refused', status };
}

/** A response that is no JSON, such as a page about maintenance, says nothing. */
function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
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
      headers: withLowerCaseNames([...own, ...Object.entries(fillTexts(headers, source))]),
      signed,
    };
  } catch (cause) {
    if (cause instanceof TemplateError || cause instanceof ServiceError) return cause;
    throw cause;
  }
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

type ProbeResponse = OutboundResponse | OutboundError | undefined;

/** Undefined when none came; an error where the address may not be called, as it may not be by proxied calls. */
async function probe(
  { outbound, clock }: Pick<CredentialsDeps, 'outbound' | 'clock'>,
  { method, headers, signed }: Probes,
  url: URL,
): Promise<ProbeResponse> {
  const request = {
    method,
    origin: url.origin,
    path: url.pathname + url.search,
    headers: Object.entries(headers),
    at: clock.now(),
  };
  const signature = signed?.(request).map(({ name, value }) => [name, value] as const) ?? [];
  try {
    return await outbound.call(url, { method, headers: { ...headers, ...withLowerCaseNames(signature) } });
  } catch (cause) {
    if (!(cause instanceof OutboundError)) throw cause;
    return cause.code === 'address_not_allowed' ? cause : undefined;
  }
}
