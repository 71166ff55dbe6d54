import { type JsonObject, textAt } from '#contract';
import { TokenFailure } from '../../auth-modes/auth-mode.ts';
import { tokenSet } from '../../auth-modes/token-set.ts';
import { validityOf } from '../../auth-modes/validity.ts';
import { callHook } from '../../catalogue/plugins/call-hook.ts';
import type { ConnectionPlan } from '../../connect/establish/connection-plan.ts';
import { proveConnection } from '../../connect/establish/prove.ts';
import type { Connection } from '../../connections/connection.ts';
import { callProvider, hookFacts, type Subject } from '../../credentials/call-provider.ts';
import { verifyCredentials } from '../../credentials/verify-credentials.ts';
import { ServiceError } from '../../errors.ts';
import type { RehearsedConnection } from './connect.ts';
import { nameOf } from './documented-responses.ts';
import { jsonResponse, type ProviderRequest } from './provider.ts';
import type { RehearsalStage } from './stage.ts';
import { notApplicable, ok, RehearsalFault, type RehearsalOutcome } from './step.ts';

const URL_OF_CONNECTION = 'http://localhost:3003/webhook/rehearsal/rehearsal?svcConnectionId=rehearsal&svcTag=rehearsal';

const TIMEOUT_MS = 10_000;
const ABSOLUTE = /^(?:[a-z]+:)?\/\//i;

/** Checks that the verification call accepts working credentials and rejects others. */
export async function verify(stage: RehearsalStage, connected: RehearsedConnection): Promise<RehearsalOutcome> {
  const { verification } = stage.definition.proxy ?? {};
  if (verification === undefined)
    return notApplicable('proxy.verification is not declared, so wrong credentials fail at the first call');
  const [, absolute] = endpointsOf(stage).find(([, endpoint]) => ABSOLUTE.test(endpoint)) ?? [];
  if (absolute !== undefined) throw notBelow('proxy.verification.endpoints', absolute);
  const input = stage.inputWith(connected.connectionConfig);
  const { clock, log, outbound, plugins } = stage;
  const deps = { clock, log, outbound, plugins, note: () => undefined };
  const requests = await requestsOf(stage, () => verifyCredentials(deps, input, connected.credentials));
  const [first] = requests;
  if (first === undefined) throw new RehearsalFault('no call was made', { path: ['proxy', 'verification'] });
  requireCredentials(stage, { connected, request: first, path: ['proxy', 'verification'] });
  const isRefused = await stage.provider.during(
    () => jsonResponse(401, {}),
    () => rejects(() => verifyCredentials(deps, input, connected.credentials)),
  );
  if (!isRefused) throw new RehearsalFault('a 401 does not reject the credentials', { path: ['proxy', 'verification'] });
  return ok(`${nameOf(first.method, first.url)} verifies the credentials, and a 401 rejects them`);
}

/** Makes the calls for a new connection that `identity` and `discover` declare, and runs the plugin's hooks. */
export async function prove(
  stage: RehearsalStage,
  connected: RehearsedConnection,
): Promise<RehearsalOutcome & { readonly connection: Connection }> {
  const { identity, discover = [] } = stage.definition;
  for (const [path, endpoint] of [
    ['identity.endpoint', identity?.endpoint],
    ...discover.map((entry, index) => [`discover.${index}.endpoint`, entry.endpoint] as const),
  ] as const)
    if (endpoint !== undefined && ABSOLUTE.test(endpoint)) throw notBelow(path, endpoint);
  const notes: string[] = [];
  const { connection, providerAccount, discovered } = await proveConnection(stage, planOf(stage, connected, notes));
  if (notes.length > 0)
    throw new RehearsalFault(notes.join('; '), { path: identity === undefined ? ['discover'] : ['identity'] });
  const { afterAuthorization, verify: hook, identify } = stage.plugin.connection ?? {};
  const done = [
    ...(hook === undefined ? [] : ['verify passed']),
    ...(Object.keys(discovered).length === 0 ? [] : [`found ${Object.keys(discovered).join(', ')}`]),
    ...(providerAccount === null ? [] : [`the account is ${providerAccount.id}`]),
  ];
  const isDeclared = [identity, stage.definition.discover, afterAuthorization, hook, identify].some((one) => one !== undefined);
  const outcome = isDeclared
    ? ok(done.join('; ') || 'the provider was called, and nothing was found')
    : notApplicable('neither identity, discover nor a hook of `connection` is declared');
  return { ...outcome, connection };
}

/** Checks that a refresh returns new tokens, and that `invalid_grant` counts as the end of the authorization. */
export async function renew(stage: RehearsalStage, connection: Connection): Promise<RehearsalOutcome> {
  const { credentials } = connection;
  if (!validityOf(credentials).refreshable)
    return notApplicable('these credentials are not refreshed: they do not expire, or there is no refresh token');
  const { mode, plugin } = stage;
  const subject: Subject = { connection, mode, input: stage.inputWith(connection.connectionConfig), plugin };
  const call = { now: stage.clock.now, timeoutMs: TIMEOUT_MS };
  const renewed = await callProvider(stage, subject, call);
  const isSame = tokenSet(renewed).accessToken === tokenSet(credentials).accessToken;
  const isOurs = plugin.auth?.refresh === undefined && Object.keys(stage.documented).length === 0;
  if (isSame && isOurs && stage.definition.token_url !== undefined)
    throw new RehearsalFault('the refresh returned the same token', { path: ['token_url'] });
  const decides = plugin.auth?.refresh ?? plugin.auth?.isRevoked;
  if (decides !== undefined || !stage.tokens.grants.has('refresh_token')) return ok('renewed');
  const failure = await stage.provider.during(
    (request) => (stage.isTokenCall(request) ? jsonResponse(400, { error: 'invalid_grant' }) : undefined),
    () =>
      callProvider(stage, { ...subject, connection: { ...connection, credentials: renewed } }, call).catch(
        (error: unknown) => error,
      ),
  );
  if (failure instanceof TokenFailure && failure.kind === 'refused')
    return ok('refreshed; after invalid_grant the user must authorize again');
  throw new RehearsalFault('invalid_grant does not count as the end of the authorization', { path: ['token_url'] });
}

/** Checks that a request carries credentials. @throws RehearsalFault if it carries none */
export function requireCredentials(
  { mode, definition, plugin }: RehearsalStage,
  {
    connected,
    request,
    path,
  }: { readonly connected: RehearsedConnection; readonly request: ProviderRequest; readonly path: readonly string[] },
): void {
  const { credentials } = connected;
  const values = [...Object.values(mode.templateValues(credentials)), ...decodedBasic(mode.templateValues(credentials))];
  // A signed request need not contain the credentials; and if the auth mode has no values to send, there are none to look for.
  if (mode.signer !== undefined || plugin.proxy?.sign !== undefined || values.length === 0) return;
  const seen =
    decodeURIComponent(request.url.href.replaceAll('+', ' ').replace(/%(?![\da-f]{2})/gi, '')) +
    Object.values(request.headers).join('\n');
  const decoded = seen.replace(
    /Basic ([\w+/=]+)/g,
    (whole, text: string) => whole + Buffer.from(text, 'base64').toString('utf8'),
  );
  if (values.some((value) => value.length >= 4 && decoded.includes(value))) return;
  const { headers } = definition.proxy ?? {};
  throw new RehearsalFault(`${nameOf(request.method, request.url)} arrived without the credentials`, {
    path,
    advice: `${headers === undefined ? 'add' : 'correct'} proxy.headers or proxy.query: one of them must name \${accessToken} or \${apiKey}`,
  });
}

function decodedBasic(values: JsonObject): string[] {
  const { username, password } = values;
  return typeof username === 'string' && typeof password === 'string' ? [`${username}:${password}`] : [];
}

function endpointsOf({ definition }: RehearsalStage): [number, string][] {
  return [...(definition.proxy?.verification?.endpoints.entries() ?? [])];
}

function notBelow(member: string, endpoint: string): RehearsalFault {
  return new RehearsalFault(`${member} is not below the base URL: "${endpoint}" is a URL, not a path`, {
    path: member.split('.'),
    advice: 'write the path only, such as /me; another host goes into `base_url` beside it',
  });
}

async function requestsOf(stage: RehearsalStage, work: () => Promise<unknown>): Promise<readonly ProviderRequest[]> {
  const before = stage.provider.requests.length;
  await work();
  return stage.provider.requests.slice(before);
}

async function rejects(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return false;
  } catch (error) {
    if (error instanceof ServiceError) return true;
    throw error;
  }
}

/**
 * Plans a connection for the rehearsal.
 *
 * @param notes receives the texts that would be warnings in the operation log
 */
function planOf(stage: RehearsalStage, { credentials, connectionConfig }: RehearsedConnection, notes: string[]): ConnectionPlan {
  const note = (level: string, message: string, facts: Readonly<Record<string, unknown>> = {}) => {
    const reason = textAt(facts, 'reason') ?? textAt(facts, 'missing.0');
    if (level !== 'info') notes.push(reason === undefined ? message : `${message}: ${reason}`);
  };
  return {
    integration: stage.integration,
    input: stage.inputWith(connectionConfig),
    connectionId: 'rehearsal',
    existing: undefined,
    whenTaken: 'refuse',
    credentials,
    addedConfig: connectionConfig,
    fixedConfig: {},
    attributes: () => ({}),
    proof: 'provider',
    notify: false,
    note,
    beginOperation: () => ({
      id: 'rehearsal',
      note,
      describe: () => undefined,
      end: () => undefined,
      endIn: () => Promise.resolve(),
    }),
  };
}

/** Checks the webhooks that the plugin registers at the provider for one connection, renews, and removes when it is deleted. */
export async function subscribe(stage: RehearsalStage, connection: Connection): Promise<RehearsalOutcome> {
  const { mode, plugin, integration } = stage;
  const { subscribe: register, renew, unsubscribe } = plugin.subscriptions ?? {};
  if (register === undefined) return notApplicable('the plugin registers no webhooks');
  const subject: Subject = { connection, mode, input: stage.inputWith(connection.connectionConfig), plugin };
  const facts = hookFacts(subject);
  const target = { url: URL_OF_CONNECTION, secret: integration.client.webhookSecret };
  const call = (hook: string, subscription: JsonObject) => ({ ...facts, hook: `subscriptions.${hook}`, subscription });
  const subscription = await callHook(stage, call('subscribe', {}), (ctx) => register(ctx, target));
  if (Object.keys(subscription).length === 0) return ok('there was nothing to register');
  if (renew !== undefined) await callHook(stage, call('renew', subscription), (ctx) => renew.run(ctx));
  if (unsubscribe !== undefined) await callHook(stage, call('unsubscribe', subscription), (ctx) => unsubscribe(ctx));
  const done = ['registered', ...(renew === undefined ? [] : ['renewed']), ...(unsubscribe === undefined ? [] : ['removed'])];
  return ok(done.join(', '));
}

/**
 * Checks the steps at the provider when a connection is deleted: the plugin cleans up, then it or the auth mode revokes the
 * tokens.
 */
export async function leave(stage: RehearsalStage, connection: Connection): Promise<RehearsalOutcome> {
  const { mode, plugin, definition } = stage;
  const { beforeDeletion, revoke } = plugin.connection ?? {};
  const input = stage.inputWith(connection.connectionConfig);
  const facts = hookFacts({ connection, mode, input, plugin });
  const done: string[] = [];
  if (beforeDeletion !== undefined) {
    await callHook(stage, { ...facts, hook: 'connection.beforeDeletion' }, (ctx) => beforeDeletion(ctx));
    done.push('cleaned up');
  }
  if (revoke !== undefined) {
    await callHook(stage, { ...facts, hook: 'connection.revoke' }, (ctx) => revoke(ctx));
    done.push('revoked by the plugin');
  } else if (definition.revocation_url !== undefined && mode.revoke !== undefined) {
    const outcome = await mode.revoke(stage.modeDeps, input, connection.credentials);
    if (outcome !== 'revoked' && outcome !== 'none')
      throw new RehearsalFault(`the tokens are not revoked (${outcome})`, { path: ['revocation_url'] });
    done.push('the tokens are revoked');
  }
  return done.length === 0 ? notApplicable('neither revocation_url nor a hook for deletions is declared') : ok(done.join(', '));
}
