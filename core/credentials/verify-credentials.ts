import { effectiveDefinition, type ProviderDefinition, valueAt } from '#contract';
import type { ModeInput, StoredCredentials } from '../auth-modes/auth-mode.ts';
import { modeOf } from '../auth-modes/index.ts';
import { ServiceError } from '../errors.ts';
import type { Operation } from '../journal/operation-log/activity.ts';
import { OutboundError, type OutboundResponse } from '../kit/outbound.ts';
import { TemplateError } from '../kit/template.ts';
import { type ApiCall, type CallDeps, callApi, readJson } from './api-call.ts';

/**
 * The result of the provider's verification call. `refused`: the credentials do not work; `unproven`: the response says nothing
 * about them, such as one from an address that moved; `unavailable`: the provider cannot be asked now; `unfit`: they cannot be
 * sent.
 */
export type VerificationResult =
  | { readonly kind: 'not_declared' | 'accepted' }
  | { readonly kind: 'refused' | 'unproven' | 'unavailable'; readonly status: number }
  | { readonly kind: 'unfit'; readonly cause: Error };

/**
 * Statuses that say that the address or method of the call is wrong, and nothing about the credentials (RFC 9110 §15.5.5,
 * §15.5.6, §15.5.11).
 */
const MISPLACED = [404, 405, 410];

const UNPROVEN = 'the verification call proved nothing; the credentials are accepted as they are';

/**
 * Makes the definition's verification call: tries its endpoints in order until one accepts. Makes no call if the integration's
 * settings turn verification off.
 */
export async function probeProvider(
  deps: CallDeps,
  input: ModeInput,
  credentials: StoredCredentials,
): Promise<VerificationResult> {
  const { verify, proxy } = effectiveDefinition(input.definition, input.integrationConfig);
  if (verify === 'off') return { kind: 'not_declared' };
  if (proxy?.verification === undefined) return { kind: 'not_declared' };
  const { base_url: baseUrl = proxy.base_url, endpoints, expect, ...call } = proxy.verification;
  const rule = { expect, needProof: needProof(credentials) };
  let result: VerificationResult = { kind: 'not_declared' };
  for (const endpoint of endpoints) {
    const response = await probe(deps, { input, credentials }, { ...call, baseUrl, endpoint });
    if (response instanceof Error) return { kind: 'unfit', cause: response };
    const next = resultOf(response, rule);
    if (next.kind === 'accepted') return next;
    // A refusal by one endpoint outweighs a later endpoint that proves nothing or does not respond.
    if (result.kind !== 'refused') result = next;
  }
  return result;
}

/**
 * Verifies that new credentials work before anything is written. Credentials from an OAuth exchange are proven already, so only a
 * clear refusal counts there.
 *
 * @throws ServiceError `connection_test_failed` when the provider refuses them, they cannot be sent, or imported ones stay
 *   unproven; `provider_unavailable` when it cannot be asked about imported ones
 */
export async function verifyCredentials(
  deps: CallDeps & Pick<Operation, 'note'>,
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

/** Returns whether neither a code exchange nor a token request has proven the credentials. */
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

interface ResponseRule {
  readonly expect: NonNullable<NonNullable<ProviderDefinition['proxy']>['verification']>['expect'];
  readonly needProof: boolean;
}

/** Returns what a response says about the credentials. @param response undefined when none arrived */
function resultOf(response: OutboundResponse | undefined, { expect, needProof }: ResponseRule): VerificationResult {
  const status = response?.status ?? 0;
  if (response === undefined || status >= 500 || status === 429) return { kind: 'unavailable', status };
  // A 403 may mean that a working token lacks a scope or has reached a limit.
  if (status === 401 || (status === 403 && needProof)) return { kind: 'refused', status };
  const isMisplaced = (status >= 300 && status < 400) || MISPLACED.includes(status);
  if (isMisplaced || status === 403) return { kind: 'unproven', status };
  if (expect === undefined) return status < 300 ? { kind: 'accepted' } : { kind: 'unproven', status };
  const body = readJson(response);
  if (body === undefined) return { kind: 'unproven', status };
  return valueAt(body, expect.path) === expect.equals ? { kind: 'accepted' } : { kind: 'refused', status };
}

/** Returns undefined when no response arrived, and an error if the call cannot be made or its address must not be called. */
async function probe(
  deps: CallDeps,
  subject: { readonly input: ModeInput; readonly credentials: StoredCredentials },
  call: ApiCall,
): Promise<OutboundResponse | Error | undefined> {
  try {
    return await callApi(deps, subject, call);
  } catch (cause) {
    if (cause instanceof TemplateError || cause instanceof ServiceError) return cause;
    if (!(cause instanceof OutboundError)) throw cause;
    return cause.code === 'address_not_allowed' ? cause : undefined;
  }
}
