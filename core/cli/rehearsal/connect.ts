import { randomUUID } from 'node:crypto';
import { checkFields, isObject, type JsonObject } from '#contract';
import type { CredentialForm, FlowEnd, ModeInput, StoredCredentials } from '../../auth-modes/auth-mode.ts';
import { keptFields } from '../../auth-modes/building-blocks/kept-values.ts';
import { fillTexts } from '../../auth-modes/building-blocks/provider-template.ts';
import { pluginCredentials, pluginExchange } from '../../connect/flows/plugin-auth.ts';
import { withRenewability } from '../../credentials/renewability.ts';
import { exampleOf } from './api-responses.ts';
import { enteredValues } from './entered-values.ts';
import { REDIRECT_URI, type RehearsalStage, withoutGaps } from './stage.ts';
import { RehearsalFault } from './step.ts';

/** The result of an authorization. */
export interface RehearsedConnection {
  readonly credentials: StoredCredentials;
  readonly connectionConfig: JsonObject;
}

/** An authorization whose user has come back from the provider. */
interface CalledBack {
  readonly input: ModeInput;
  readonly end: FlowEnd;
}

/** Returns the configuration that the user enters before connecting: all fields except those that are found automatically. */
function enteredConfig({ definition, source }: RehearsalStage): JsonObject {
  const { connection_config: fields = {} } = definition;
  const entered = Object.entries(source.connectionConfig).filter(([name]) => fields[name]?.automated !== true);
  const values = withoutGaps(Object.fromEntries(entered));
  const [fault] = checkFields(fields, values, { allowUnknown: true });
  if (fault === undefined) return values;
  const [name = ''] = fault.path;
  throw new RehearsalFault(`the example of this field is not allowed by the field itself: ${fault.message}`, {
    path: ['connection_config', name, fields[name]?.example === undefined ? 'type' : 'example'],
    advice: 'give it an `example` that fits its `pattern` or `format`',
  });
}

/** Runs an authorization from the redirect to the callback; the user allows access immediately. */
export async function goToProvider(stage: RehearsalStage): Promise<CalledBack> {
  const { mode, definition, tokens } = stage;
  if (mode.begin === undefined) throw new Error('this auth mode does not redirect the user to the provider');
  const input = stage.inputWith(enteredConfig(stage));
  const flow = { state: randomUUID(), redirectUri: REDIRECT_URI, authorizationParams: {} };
  const { url, secrets } = await mode.begin(stage.modeDeps, input, flow);
  const wanted = stage.urlOf(definition.authorization_url);
  const page = new URL(url);
  if (wanted !== undefined && (page.origin !== wanted.origin || page.pathname !== wanted.pathname))
    throw new RehearsalFault(`users would be sent to ${page.origin}${page.pathname}`, { path: ['authorization_url'] });
  const { status, headers } = await stage.outbound.call(url);
  const location = headers['location'];
  if (status !== 302 || location === undefined) {
    const complaint = tokens.complaints.at(-1) ?? `it responded ${status}`;
    throw new RehearsalFault(`the authorization endpoint refused the request: ${complaint}`, { path: ['authorization_url'] });
  }
  const query = { ...Object.fromEntries(new URL(location).searchParams), ...broughtBack(stage, input), ...issuer(page, secrets) };
  return { input, end: { query, secrets } };
}

/** Handles the callback: exchanges the code for tokens. */
export async function comeBack(stage: RehearsalStage, { input, end }: CalledBack): Promise<RehearsedConnection> {
  const { mode } = stage;
  if (mode.complete === undefined) throw new Error('this mode has no callback');
  const exchangeCode = pluginExchange(stage, stage.clock.now, attemptOf(stage, input));
  const { credentials, connectionConfig } = await mode.complete(stage.modeDeps, input, { ...end, exchangeCode });
  return connectedWith(stage, input, { credentials, connectionConfig });
}

/** Connects with values that a user enters in the form, or an application imports; a call to the provider may complete them. */
export async function enter(stage: RehearsalStage): Promise<RehearsedConnection> {
  const { mode, definition } = stage;
  const form = mode.form ?? formOf(stage);
  const values = enteredValues(form, definition);
  const own = Object.fromEntries(
    (form.configuration ?? []).flatMap((name) => (name in values ? [[name, values[name] ?? '']] : [])),
  );
  const input = stage.inputWith({ ...enteredConfig(stage), ...own });
  const credentials = { ...storedBy(stage, form, values), receivedAt: stage.clock.now().toISOString() };
  form.check?.(values, input);
  const attempt = attemptOf(stage, input);
  const exchanged = await pluginCredentials(stage, stage.clock.now, { attempt, typed: credentials });
  const stored = exchanged ?? (await mode.prepare?.(stage.modeDeps, input, credentials)) ?? credentials;
  const raw = 'raw' in stored ? stored.raw : undefined;
  const found = isObject(raw) ? keptFields(input, raw) : {};
  return connectedWith(stage, input, { credentials: stored, connectionConfig: found });
}

function attemptOf({ integration }: RehearsalStage, input: ModeInput) {
  return { input, integration, session: { connectionId: 'rehearsal' }, known: undefined };
}

function connectedWith(
  stage: RehearsalStage,
  input: ModeInput,
  { credentials, connectionConfig: found }: RehearsedConnection,
): RehearsedConnection {
  const connectionConfig = { ...input.connectionConfig, ...found };
  return { credentials: withRenewability(stage, input, credentials), connectionConfig };
}

function formOf({ mode }: RehearsalStage): CredentialForm {
  if (mode.imported === undefined) throw new Error('this auth mode has no form for credentials');
  const names = Object.keys(mode.imported.members.shape);
  const fields = Object.fromEntries(names.map((name) => [name, { title: name }]));
  return { ...mode.imported, path: '', operationId: '', summary: '', fields };
}

/**
 * Returns the credentials to store, after checking the values against the form's own fields and against those of the definition,
 * which may be stricter.
 */
function storedBy({ definition }: RehearsalStage, form: CredentialForm, values: JsonObject) {
  const { credentials: fields = {} } = definition;
  const declared = Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(values, name)));
  const [fault] = checkFields(declared, values, { allowUnknown: true });
  if (fault !== undefined)
    throw new RehearsalFault(`the form does not accept its own example: ${fault.message}`, {
      path: ['credentials', fault.path[0] ?? ''],
      advice: 'give the field an `example` that fits its `pattern` or `format`',
    });
  const { data, error } = form.members.safeParse(values);
  if (data !== undefined) return form.store(data);
  const [issue] = error.issues;
  const path = ['credentials', ...(issue?.path ?? []).map(String)];
  throw new RehearsalFault(`the auth mode does not accept the form: ${path.slice(1).join('.')} ${issue?.message}`, {
    path,
    advice: `its own fields are ${Object.keys(form.fields).join(', ') || 'those that credentials declares'}`,
  });
}

/** Returns the parameters that the provider adds to the callback. */
function broughtBack({ definition }: RehearsalStage, input: ModeInput): Record<string, string> {
  const { redirect_uri_metadata: names = [], connection_config: fields = {}, callback } = definition;
  const kept = names.map((name) => [name, exampleOf(name, fields[name])] as const);
  return { ...Object.fromEntries(kept), ...fillTexts(callback?.expect, input) };
}

/**
 * Returns the `iss` parameter (RFC 9207): the issuer that the service expects, since the rehearsal's provider stands in for it.
 */
function issuer({ origin }: URL, secrets: JsonObject): Record<string, string> {
  const { issuer: expected } = secrets;
  return { iss: typeof expected === 'string' ? expected : origin };
}
