import type { StoredCredentials } from '../auth-modes/auth-mode.ts';
import { AUTH_MODES } from '../auth-modes/index.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { ConnectSession } from '../connect-sessions/session.ts';
import { OutcomeUnknown } from '../db/commit-outcome.ts';
import { ServiceError } from '../errors.ts';
import { modeInput } from '../integrations/mode-input.ts';
import { type Attempt, type AttemptDeps, beginOperation, conclude, modeDeps } from './attempt.ts';
import { readConfiguration } from './configuration.ts';
import { tellFailure } from './failure-event.ts';
import { recordFailure } from './failure-record.ts';
import { checkForm, type GivenCredentials, storedFromForm } from './given-credentials.ts';
import { findTarget } from './target.ts';

export interface DirectDeps extends AttemptDeps {
  readonly catalogue: Catalogue;
}

/** What a browser asks for that needs no visit to the provider. */
interface DirectRequest {
  readonly session: ConnectSession;
  readonly uniqueKey: string;
  /** Connection configuration that the user typed. */
  readonly params: Readonly<Record<string, string>>;
  readonly credentials: GivenCredentials;
}

/**
 * Connects with credentials that the user has: they are proven, then stored.
 *
 * @returns the connection ID
 * @throws ServiceError as `findTarget`, `readConfiguration` and `conclude` do; `invalid_auth_mode`, `invalid_body`,
 *   `missing_client_id`. Nothing was written then but, once the provider was asked, the log entry and the auth webhook.
 */
export async function authorizeDirectly(deps: DirectDeps, request: DirectRequest): Promise<string> {
  const { session, uniqueKey, credentials: given } = request;
  const target = await findTarget(deps, session, uniqueKey);
  const { integration, provider, known } = target;
  const { auth_mode: mode, credentials: fields } = provider.definition;
  if (mode !== given.type)
    throw new ServiceError('invalid_auth_mode', `"${uniqueKey}" is connected by ${mode}, not by ${given.type}`);
  const { added, whole } = readConfiguration({ ...request, provider, known });
  checkForm(fields, given);
  const input = modeInput(integration, provider, { connectionConfig: whole, rules: deps.plugins.of(provider.slug).auth });
  checkApp(given, input);

  const operation = beginOperation(deps, session.environmentId, target);
  const attempt = { ...target, input, operation };
  try {
    return await conclude(deps, attempt, { credentials: await usable(deps, attempt, given), added, found: {} });
  } catch (cause) {
    // It may have succeeded, and the application been told so.
    if (cause instanceof OutcomeUnknown) throw cause;
    recordFailure(operation, cause);
    await tellFailure(deps, attempt, cause);
    throw cause;
  }
}

/** What signs with an app needs one. @throws ServiceError `missing_client_id` */
function checkApp(given: GivenCredentials, { client }: Attempt['input']): void {
  if (given.type !== 'TBA') return;
  const { oauth_client_id_override: id = client.clientId, oauth_client_secret_override: secret = client.clientSecret } = given;
  if (id === '' || secret === '')
    throw new ServiceError('missing_client_id', 'neither the integration nor the request has a client ID and secret');
}

/** The given credentials with what the provider adds to them. @throws ServiceError */
async function usable(deps: DirectDeps, { input }: Attempt, given: GivenCredentials): Promise<StoredCredentials> {
  const context = await modeDeps(deps);
  const stored = storedFromForm(given, context.now());
  return (await AUTH_MODES[given.type].prepare?.(context, input, stored)) ?? stored;
}
