import {
  checkFields,
  type EffectiveDefinition,
  effectiveDefinition,
  isObject,
  type Json,
  type JsonObject,
  valueAt,
} from '#contract';
import type { OutboundResponse } from '../../../kit/outbound.ts';
import { placeholdersOf, type TemplateValues } from '../../../kit/template.ts';
import { type ModeDeps, type ModeInput, TokenFailure } from '../../auth-mode.ts';
import { standardTokens } from '../token-endpoint/find-tokens.ts';
import { sendTokenRequest, TOKEN_CALL_MS } from '../token-endpoint/token-call.ts';
import { tokenFailure } from '../token-endpoint/token-failure.ts';
import { type PreviousTokens, type ReceivedTokens, readTokenResponse } from '../token-endpoint/token-response.ts';
import { type SignInStep, stepRequest } from './step-request.ts';
import { cookieHeader, stepBody } from './step-response.ts';

/**
 * Minimum length, in characters, of a secret that is also searched for within longer texts; shorter secrets would be found by
 * chance.
 */
const MIN_PART = 4;

/** The values that a user entered, by the names of their fields. */
export type EnteredFields = Readonly<Record<string, string>>;

interface SignIn {
  readonly entered: EnteredFields;
  readonly previous?: PreviousTokens;
}

/**
 * Signs in with entered credentials, by sending the definition's requests one after the other.
 *
 * @throws TokenFailure if an entered value is invalid, a request fails, or the last response has no token
 */
export async function signIn(deps: ModeDeps, input: ModeInput, { entered, previous }: SignIn): Promise<ReceivedTokens> {
  const definition = effectiveDefinition(input.definition, input.integrationConfig);
  // Entered values are checked again, since they may be part of a host, and may have been stored before their patterns were
  // introduced.
  if (checkFields(definition.credentials, entered, { allowUnknown: true }).length > 0)
    throw new TokenFailure('transient', 'the entered credentials do not have the form that the provider definition declares');
  try {
    const steps = [definition, ...(definition.additional_steps ?? [])];
    return await walk(deps, { input, definition, entered, previous: lifetimeOf(previous) }, steps);
  } catch (error) {
    throw error instanceof TokenFailure ? asRepeatable(error) : error;
  }
}

/**
 * Returns the stated lifetime of the previous tokens and nothing else, since their refresh token belongs to the previous session.
 */
function lifetimeOf({ statedLifetimeMs }: PreviousTokens = {}): PreviousTokens {
  return statedLifetimeMs === undefined ? {} : { statedLifetimeMs };
}

/**
 * Turns an `unknown` failure into a `transient` one: a sign-in uses up no token, so it can be repeated if the response was lost.
 */
function asRepeatable(failure: TokenFailure): TokenFailure {
  if (failure.kind !== 'unknown') return failure;
  return new TokenFailure('transient', 'the provider did not respond to the sign-in', { cause: failure });
}

interface Walk {
  readonly input: ModeInput;
  readonly definition: EffectiveDefinition;
  readonly entered: EnteredFields;
  /** The refresh token of the session, if the session is refreshed. */
  readonly refreshToken?: string;
  readonly previous: PreviousTokens;
}

/**
 * Sends the requests of the steps one after the other.
 *
 * @param steps at least one; the response to the last one contains the token
 * @throws TokenFailure if a request fails, or the last response has no token
 */
export async function walk(deps: ModeDeps, one: Walk, steps: readonly SignInStep[]): Promise<ReceivedTokens> {
  const receivedAt = deps.now(); // Read before the calls, so that no token is considered valid for longer than it is.
  const endsAt = performance.now() + (deps.tokenCallMs ?? TOKEN_CALL_MS);
  const bodies: JsonObject[] = [];
  let tokens: ReceivedTokens | undefined;
  for (const step of steps) {
    const source = { ...one.input, definition: one.definition, credentials: valuesOf(one, step, bodies) };
    const left = { ...deps, tokenCallMs: Math.max(1, Math.ceil(endsAt - performance.now())) };
    const response = await sendTokenRequest(left, () => stepRequest(step, source));
    const body = stepBody(response, step);
    const failure = stepFailure(one.input, one.definition, { step, response, body, now: receivedAt });
    if (failure !== undefined || body === undefined) throw failure ?? new Error('a response without a body is a failure');
    bodies.push(body);
    if (bodies.length === steps.length) tokens = readTokens(one, { headers: response.headers, body, receivedAt });
  }
  if (tokens === undefined) throw new Error('a sign-in has at least one step');
  return tokens;
}

/** Returns the values of `${credentials.x}`, and those values of earlier responses (`${steps.0.x}`) that the step uses. */
function valuesOf({ entered, refreshToken }: Walk, step: SignInStep, bodies: readonly JsonObject[]): TemplateValues {
  const credentials = Object.entries({ ...entered, ...(refreshToken !== undefined && { refresh_token: refreshToken }) });
  const named = placeholdersOf(JSON.stringify(step)).flatMap((name) => {
    const value = name.startsWith('steps.') ? valueAt({ steps: bodies }, name) : undefined;
    const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return isText ? [[name, String(value)] as const] : [];
  });
  return Object.fromEntries([...credentials.map(([name, value]) => [`credentials.${name}`, value] as const), ...named]);
}

interface LastResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  readonly receivedAt: Date;
}

function readTokens(one: Walk, { headers, body, receivedAt }: LastResponse): ReceivedTokens {
  const { input, definition, entered, previous } = one;
  const cookies = definition.token_response?.cookies;
  const fromCookies = {
    readTokens: (members: JsonObject) => ({
      ...standardTokens(members, definition, { receivedAt, headers }),
      accessToken: cookieHeader(headers['set-cookie'], cookies ?? []),
    }),
  };
  const rules = { ...(cookies !== undefined && fromCookies), ...input.rules };
  const date = headers['date'] === undefined ? {} : { date: headers['date'] };
  const response = { status: 200, headers: date, body: Buffer.from(JSON.stringify(body)) };
  const tokens = readTokenResponse({ ...input, definition, rules }, { response, receivedAt, previous });
  return { ...tokens, raw: withoutSecrets(tokens.raw, secretsOf(definition, entered)) };
}

function secretsOf({ credentials = {} }: EffectiveDefinition, entered: EnteredFields): string[] {
  return Object.entries(entered).flatMap(([name, value]) =>
    Object.hasOwn(credentials, name) && credentials[name]?.secret !== true ? [] : [value],
  );
}

interface StepOutcome {
  readonly step: SignInStep;
  readonly response: OutboundResponse;
  /** The parsed body; undefined if it cannot be read. */
  readonly body: JsonObject | undefined;
  readonly now: Date;
}

/** Returns the failure that a step's response reports; undefined if it is a success. */
function stepFailure(input: ModeInput, definition: EffectiveDefinition, outcome: StepOutcome): TokenFailure | undefined {
  const { response, body } = outcome;
  const code = declaredCode(definition, body);
  const isSuccess = response.status >= 200 && response.status < 300 && body !== undefined && code === undefined;
  if (isSuccess) return undefined;
  // The rules that are common to all token endpoints decide about other responses, for example about `invalid_grant`.
  const rules = isRefused(outcome, isListed(definition, code)) ? { isRevoked: () => true } : {};
  const failure = tokenFailure({ ...input, rules: { ...rules, ...input.rules } }, outcome);
  if (failure.kind !== 'malformed' || code === undefined) return failure;
  return new TokenFailure('transient', 'the provider reports a failure of the sign-in', { status: response.status });
}

/**
 * Returns whether the provider refuses the user's credentials. 401 and 403 count only for a step that sends credentials, since
 * otherwise they must have another reason.
 */
function isRefused({ step, body, response: { status } }: StepOutcome, isCodeListed: boolean): boolean {
  if (status >= 500 || status === 429) return false;
  // A 403 with an HTML page comes from a firewall, or means maintenance.
  const isVerdict = status === 401 || (status === 403 && body !== undefined);
  return isCodeListed || (isVerdict && carriesCredentials(step));
}

function carriesCredentials({ token_params, token_headers }: SignInStep): boolean {
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

/** Returns a response without those texts that contain one of the secrets. */
function withoutSecrets(raw: JsonObject, secrets: readonly string[]): JsonObject {
  const forms = secrets.filter((secret) => secret !== '').flatMap(formsOf);
  const repeats = (value: Json) =>
    typeof value === 'string' && forms.some((form) => value === form || (form.length >= MIN_PART && value.includes(form)));
  return membersWithout(raw, repeats);
}

function membersWithout(members: JsonObject, repeats: (value: Json) => boolean): JsonObject {
  const kept = Object.entries(members).filter(([, value]) => !repeats(value));
  return Object.fromEntries(kept.map(([name, value]) => [name, without(value, repeats)]));
}

function without(value: Json, repeats: (value: Json) => boolean): Json {
  if (Array.isArray(value)) return value.filter((item) => !repeats(item)).map((item) => without(item, repeats));
  return isObject(value) ? membersWithout(value, repeats) : value;
}

/** Returns the forms in which a response may repeat a secret: unchanged, and as encoded in a URL, a body or a header. */
function formsOf(secret: string): string[] {
  return [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ '': secret }).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret, 'utf8').toString('base64'),
  ];
}
