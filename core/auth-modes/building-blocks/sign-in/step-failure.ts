import { type EffectiveDefinition, type JsonObject, valueAt } from '#contract';
import type { OutboundResponse } from '../../../kit/outbound.ts';
import { type ModeInput, TokenFailure } from '../../auth-mode.ts';
import { tokenFailure } from '../token-endpoint/token-failure.ts';
import type { Step } from './step-request.ts';

export interface StepOutcome {
  readonly step: Step;
  readonly response: OutboundResponse;
  /** Undefined: it cannot be read. */
  readonly body: JsonObject | undefined;
  readonly now: Date;
}

/** What is wrong with a step's response; undefined if it is a success. */
export function stepFailure(input: ModeInput, definition: EffectiveDefinition, outcome: StepOutcome): TokenFailure | undefined {
  const { response, body } = outcome;
  const code = declaredCode(definition, body);
  const isSuccess = response.status >= 200 && response.status < 300 && body !== undefined && code === undefined;
  if (isSuccess) return undefined;
  // Otherwise what token endpoints have in common decides, such as `invalid_grant`.
  const rules = isRefused(outcome, isListed(definition, code)) ? { isRevoked: () => true } : {};
  const failure = tokenFailure({ ...input, rules: { ...rules, ...input.rules } }, outcome);
  if (failure.kind !== 'malformed' || code === undefined) return failure;
  return new TokenFailure('transient', 'the provider reports a failure of the sign-in', { status: response.status });
}

/** 401 and 403 are about what was sent: a step that carries nothing of the user's cannot speak of it. */
function isRefused({ step, body, response: { status } }: StepOutcome, isCodeListed: boolean): boolean {
  if (status >= 500 || status === 429) return false;
  // A page instead of a response is a firewall's, or of maintenance.
  const isVerdict = status === 401 || (status === 403 && body !== undefined);
  return isCodeListed || (isVerdict && carriesCredentials(step));
}

function carriesCredentials({ token_params, token_headers }: Step): boolean {
  return /\$\{(?:credentials|steps)\./.test(JSON.stringify([token_params, token_headers]));
}

function declaredCode({ token_response }: EffectiveDefinition, body: JsonObject | undefined): string | undefined {
  const codes = (token_response?.error ?? []).map((path) => valueAt(body, path));
  const code = codes.find((value) => typeof value === 'number' || (typeof value === 'string' && value !== ''));
  return code === undefined ? undefined : String(code);
}

function isListed({ revoked_codes = [] }: EffectiveDefinition, code: string | undefined): boolean {
  return revoked_codes.some((listed) => listed.toLowerCase() === code?.toLowerCase());
}
