import type { ProviderDefinition } from '#contract';
import type { ModeInput } from '../../../../core/auth-modes/auth-mode.ts';
import { twoStep } from '../../../../core/auth-modes/two-step/index.ts';
import type { StoredTwoStep } from '../../../../core/auth-modes/two-step/stored.ts';
import { canary } from '../../../support/canaries.ts';
import type { FakeProvider } from '../../../support/fake-provider/fake-provider.ts';
import type { ScriptedResponse } from '../../../support/scripted-server/behaviour.ts';
import { inputFor, NOW } from '../building-blocks/token-endpoint/mode-input.ts';

export const PASSWORD = canary('entered password');

/** Credentials as a user entered them into the form, before any call to the provider. */
export const ENTERED: StoredTwoStep = {
  type: 'TWO_STEP',
  credentials: { username: 'ada', password: PASSWORD },
  raw: {},
  receivedAt: NOW.toISOString(),
};

const FORM: Partial<ProviderDefinition> = {
  auth_mode: 'TWO_STEP',
  credentials: {
    username: { type: 'string', title: 'User name' },
    password: { type: 'string', title: 'Password', secret: true },
    domain: { type: 'string', title: 'Domain', default_value: 'main' },
  },
  token_params: { user: '${credentials.username}', pass: '${credentials.password}' },
  token_response: { token: 'token' },
};

/**
 * Returns a mode's input whose first call goes to the provider's token endpoint. The arguments replace properties of the
 * definition and of the input.
 */
export function twoStepInput(
  provider: FakeProvider,
  definition: Partial<ProviderDefinition> = {},
  changes: Partial<ModeInput> = {},
): ModeInput {
  return inputFor(provider, { ...FORM, ...definition }, changes);
}

/** The mode's functions. The defaults are never used; they only satisfy the types, which declare the functions as optional. */
export const { prepare = unavailable, refresh = unavailable } = twoStep;

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): ScriptedResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

function unavailable(): never {
  throw new Error('the mode has no such function');
}
