import { checkFields, isObject, type JsonObject, type ProviderDefinition } from '#contract';
import type { CredentialForm, ModeInput, StoredCredentials } from '../../auth-modes/auth-mode.ts';
import { keptFields } from '../../auth-modes/building-blocks/kept-values.ts';
import { modeOf } from '../../auth-modes/index.ts';
import { checkSendable } from '../../auth-modes/sendable.ts';
import type { Plugins } from '../../catalogue/plugins/plugins.ts';
import type { ConnectSession } from '../../connections/connect-sessions/session.ts';
import { modeInput } from '../../connections/integrations/mode-input.ts';
import { OutcomeUnknown } from '../../db/commit-outcome.ts';
import { withTransaction } from '../../db/transaction.ts';
import { ServiceError } from '../../errors.ts';
import { notingCalls } from '../../journal/operation-log/noting-calls.ts';
import type { LifecycleDeps } from '../deps.ts';
import { admit } from '../establish/admit.ts';
import { ChoiceNeeded } from '../establish/connection-plan.ts';
import { establishConnection } from '../establish/establish-connection.ts';
import { type AuthorizationAttempt, type Authorized, beginOperation, modeDeps, planOf, useSession } from './attempt.ts';
import { readConfiguration } from './configuration.ts';
import { sendFailureEvent } from './failure-event.ts';
import { recordFailure, userMessage } from './failure-record.ts';
import { asOwnApp, keepOwnApp, ownAppOf } from './own-app.ts';
import { pluginCredentials } from './plugin-auth.ts';
import { type AuthorizationTarget, findTarget } from './target.ts';

/** Credentials entered in the form of an auth mode. */
export interface TypedCredentials {
  readonly mode: string;
  readonly form: CredentialForm;
  /** The entered values, validated by the form's schema. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** A browser's request to connect without a redirect. */
interface DirectRequest {
  readonly session: ConnectSession;
  readonly uniqueKey: string;
  /** The connection configuration entered by the user. */
  readonly params: Readonly<Record<string, string>>;
  readonly credentials: TypedCredentials;
}

/** Entered credentials that the forms of the mode and the definition accept. */
export interface EnteredDetails {
  readonly target: AuthorizationTarget;
  readonly typed: TypedCredentials;
  /** The connection configuration of this authorization. */
  readonly added: JsonObject;
  readonly input: ModeInput;
}

/**
 * Connects with entered credentials: verifies and stores them.
 *
 * @returns the connection ID
 * @throws ServiceError as `checkDetails`, `admit`, `useSession` and `establishConnection` do. Then nothing was stored except, after
 *   a call to the provider, the log entry and the auth webhook.
 */
export async function authorizeDirectly(deps: LifecycleDeps, request: DirectRequest): Promise<string> {
  const { session, uniqueKey } = request;
  const details = checkDetails(deps, await findTarget(deps, session, uniqueKey), request);
  const { target, input } = details;
  const operation = beginOperation(deps, session.environmentId, target);
  const attempt = { ...target, input, operation };
  try {
    const authorized = await notingCalls(operation.note, () => authorizeWith(deps, attempt, details));
    const plan = await admit(deps, planOf(attempt, authorized));
    if (plan instanceof ChoiceNeeded) throw plan;
    return await withTransaction(deps.db, async (trx) => {
      await useSession(trx, attempt);
      return (await establishConnection({ ...deps, db: trx }, plan)).connection.connectionId;
    });
  } catch (cause) {
    // The authorization may have succeeded and been reported to the application, so no failure is recorded.
    if (cause instanceof OutcomeUnknown) throw cause;
    recordFailure(operation, cause);
    await sendFailureEvent(deps, attempt, cause);
    throw withReason(cause);
  }
}

/**
 * Checks entered credentials and configuration without calling the provider.
 *
 * @throws ServiceError as `readConfiguration` does; `invalid_auth_mode` if the integration has another mode; `invalid_body` if a
 *   form rejects a value; `missing_client_id`
 */
export function checkDetails(
  deps: { readonly plugins: Plugins },
  target: AuthorizationTarget,
  { credentials: typed, ...request }: Pick<DirectRequest, 'params' | 'credentials'>,
): EnteredDetails {
  const { session, integration, provider, known } = target;
  const { uniqueKey } = integration;
  const { auth_mode: mode } = provider.definition;
  if (mode !== typed.mode)
    throw new ServiceError('invalid_auth_mode', `"${uniqueKey}" is connected by ${mode}, not by ${typed.mode}`);
  const params = { ...request.params, ...configurationIn(typed) };
  const { added, whole } = readConfiguration({ session, uniqueKey, params, provider, known });
  checkForm(provider.definition, typed);
  const input = modeInput(integration, provider, { connectionConfig: whole, rules: deps.plugins.of(provider.slug).auth });
  typed.form.check?.(typed.members, asOwnApp(input, ownAppOf(target)));
  return { target, typed, added, input };
}

/**
 * Turns the entered credentials into those to store, perhaps by calls to the provider.
 *
 * @throws ServiceError if the provider or the plugin rejects them, or fails
 */
export async function authorizeWith(
  deps: LifecycleDeps,
  attempt: AuthorizationAttempt,
  { typed, added }: Pick<EnteredDetails, 'typed' | 'added'>,
): Promise<Authorized> {
  const credentials = await usable(deps, attempt, typed);
  return { credentials, added, found: foundIn(attempt.input, credentials) };
}

/** Adds a message for the user as a detail of the error: forms show it in place of their own text. */
function withReason(cause: unknown): unknown {
  const message = userMessage(cause);
  if (message === undefined || !(cause instanceof ServiceError)) return cause;
  const { code, retryAfterSeconds } = cause;
  const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return new ServiceError(code, cause.message, { cause, details: [{ code: 'custom', message, path: [] }], ...wait });
}

/** Returns the form's fields that are connection configuration. */
function configurationIn({ form, members }: TypedCredentials): Record<string, string> {
  const names = form.configuration ?? [];
  return Object.fromEntries(names.flatMap((name) => (typeof members[name] === 'string' ? [[name, members[name]] as const] : [])));
}

/**
 * Validates the values by the definition's form, which may be stricter than the mode.
 *
 * @throws ServiceError `invalid_body` if it rejects one
 */
function checkForm(definition: ProviderDefinition, { members }: TypedCredentials): void {
  const texts = Object.entries(members).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
  const values = Object.fromEntries(texts);
  const present = Object.entries(definition.credentials ?? {}).filter(([name]) => Object.hasOwn(values, name));
  const faults = checkFields(Object.fromEntries(present), values, { allowUnknown: true });
  const details = faults.length > 0 ? faults : checkSendable(definition, values);
  if (details.length > 0) throw new ServiceError('invalid_body', details.map(({ message }) => message).join(' '), { details });
}

/** Returns the configuration that the provider's response, if there was one, adds. */
function foundIn(input: ModeInput, credentials: StoredCredentials): JsonObject {
  const raw = 'raw' in credentials ? credentials.raw : undefined;
  return isObject(raw) ? keptFields(input, raw) : {};
}

/**
 * Returns the entered credentials, exchanged by the plugin or completed by the mode.
 *
 * @throws ServiceError if they are rejected, or a call fails
 */
async function usable(
  deps: LifecycleDeps,
  attempt: AuthorizationAttempt,
  { form, members }: TypedCredentials,
): Promise<StoredCredentials> {
  const context = await modeDeps(deps);
  const typed = { ...form.store(members), receivedAt: context.now().toISOString() };
  const app = ownAppOf(attempt);
  const stored = keepOwnApp(modeOf(typed), typed, app);
  const input = asOwnApp(attempt.input, app);
  const exchanged = await pluginCredentials(deps, context.now, { attempt: { ...attempt, input }, typed: stored });
  return exchanged ?? (await modeOf(stored).prepare?.(context, input, stored)) ?? stored;
}
