import { checkFields, type EffectiveDefinition, effectiveDefinition, type JsonObject, valueAt } from '#contract';
import { placeholdersOf, type TemplateValues } from '../../../kit/template.ts';
import { type ModeDeps, type ModeInput, TokenFailure } from '../../auth-mode.ts';
import { standardTokens } from '../token-endpoint/find-tokens.ts';
import { sendTokenRequest, TOKEN_CALL_MS } from '../token-endpoint/token-call.ts';
import { type PreviousTokens, type ReceivedTokens, readTokenResponse } from '../token-endpoint/token-response.ts';
import { stepFailure } from './step-failure.ts';
import { type Step, stepRequest } from './step-request.ts';
import { cookieHeader, stepBody } from './step-response.ts';
import { withoutSecrets } from './without-secrets.ts';

/** What a user entered, by the names of the fields. */
export type Entered = Readonly<Record<string, string>>;

interface SignIn {
  readonly entered: Entered;
  readonly previous?: PreviousTokens;
}

/** Signs in with entered credentials: makes the calls of the definition one after the other. @throws TokenFailure */
export async function signIn(deps: ModeDeps, input: ModeInput, { entered, previous }: SignIn): Promise<ReceivedTokens> {
  const definition = effectiveDefinition(input.definition, input.integrationConfig);
  // The patterns may be newer than the values, which may be part of a host.
  if (checkFields(definition.credentials, entered, { allowUnknown: true }).length > 0)
    throw new TokenFailure('transient', 'the entered credentials do not have the form that the provider definition declares');
  try {
    const steps = [definition, ...(definition.additional_steps ?? [])];
    return await walk(deps, { input, definition, entered, previous: lifetimeOf(previous) }, steps);
  } catch (error) {
    throw error instanceof TokenFailure ? asRepeatable(error) : error;
  }
}

/** Of the previous tokens only the lifetime counts: a refresh token belongs to the session that it came with. */
function lifetimeOf({ statedLifetimeMs }: PreviousTokens = {}): PreviousTokens {
  return statedLifetimeMs === undefined ? {} : { statedLifetimeMs };
}

/** A sign-in uses nothing up, so that a lost response is no more than a failure. */
function asRepeatable(failure: TokenFailure): TokenFailure {
  if (failure.kind !== 'unknown') return failure;
  return new TokenFailure('transient', 'the provider did not respond to the sign-in', { cause: failure });
}

interface Walk {
  readonly input: ModeInput;
  readonly definition: EffectiveDefinition;
  readonly entered: Entered;
  /** Of the session that is renewed. */
  readonly refreshToken?: string;
  readonly previous: PreviousTokens;
}

/** @param steps at least one; the last one's response has the token @throws TokenFailure */
export async function walk(deps: ModeDeps, one: Walk, steps: readonly Step[]): Promise<ReceivedTokens> {
  const receivedAt = deps.now(); // A lifetime counted from before the calls can only be too short.
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

/** `${credentials.x}`, and those of `${steps.0.x}` that the step uses. */
function valuesOf({ entered, refreshToken }: Walk, step: Step, bodies: readonly JsonObject[]): TemplateValues {
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

function secretsOf({ credentials = {} }: EffectiveDefinition, entered: Entered): string[] {
  return Object.entries(entered).flatMap(([name, value]) =>
    Object.hasOwn(credentials, name) && credentials[name]?.secret !== true ? [] : [value],
  );
}
