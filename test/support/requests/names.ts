import { toCursor } from '../../../core/db/cursor.ts';
import { operationCursor } from '../../../core/journal/operation-log/operation-page.ts';
import { DIST, readManifest } from '../../../ui/pipeline/manifest.ts';
import { SeededRandom } from '../seeded-random.ts';
import { words } from '../words.ts';
import type { ApiRequest } from './api-request.ts';
import { type ApiOperation, resolve } from './operations.ts';
import { type Json, type Schema, valueFor } from './schema-values.ts';

/** The names and IDs for use in requests. Depending on the test, they name things that exist or things that do not. */
export interface Names {
  readonly integration: string;
  readonly connectionId: string;
  /** The ID of an entry of the operation log. */
  readonly operationId: string;
  readonly environmentId: number;
  readonly environmentUuid: string;
  /** An integration whose provider sends unsigned webhooks. */
  readonly receiver: string;
  /** An integration that publishes OAuth client metadata. */
  readonly describedClient: string;
  readonly apiKeyId: number;
  /** The ID of a webhook message. */
  readonly messageId: string;
  readonly sessionToken: string;
  /** The ID of a flow of the session of `sessionToken` that waits for the end user's choice. */
  readonly flowId: string;
  /** The ID of another flow of this session, which has ended. */
  readonly endedFlowId: string;
  /** The name for a thing that the request creates. */
  readonly newName: string;
}

/** The brand logo that `storeNames` stores in each environment. */
export const BRAND_LOGO = { hash: 'c0ffee'.repeat(6).slice(0, 32), type: 'png' } as const;

/** Returns the name of a built asset, which is different in each build. @param app a folder of `ui/` */
function builtAsset(app: string): string {
  const prefix = `${app}/assets/`;
  const name = Object.keys(readManifest(DIST)?.files ?? {}).find((one) => one.startsWith(prefix));
  if (name === undefined) throw new Error('nothing is built: npm run build:ui');
  return name.slice(prefix.length);
}

/** The value of each field or parameter by its name, wherever a request contains that name. */
const MEMBERS: Readonly<Record<string, (names: Names) => Json>> = {
  connection_id: ({ connectionId }) => connectionId,
  connectionId: ({ connectionId }) => connectionId,
  provider_config_key: ({ integration }) => integration,
  providerConfigKey: ({ integration }) => integration,
  integration_id: ({ integration }) => integration,
  integrationId: ({ integration }) => integration,
  integration: ({ integration }) => integration,
  uniqueKey: ({ integration }) => integration,
  connect_session_token: ({ sessionToken }) => sessionToken,
  flow_id: ({ flowId }) => flowId,
  environment_id: ({ environmentId }) => environmentId,
  environmentUuid: ({ environmentUuid }) => environmentUuid,
  environment_uuid: ({ environmentUuid }) => environmentUuid,
  key_id: ({ apiKeyId }) => apiKeyId,
  unique_key: ({ newName }) => newName,
  name: ({ newName }) => newName,
  slug: () => 'generic-oauth',
  file: () => 'github.svg',
  logo: () => `${BRAND_LOGO.hash}.${BRAND_LOGO.type}`,
  guide: () => 'webhooks',
  resource: () => 'connections',
  path: () => 'api/me',
  event: () => 'post-connection-creation',
  search: () => 'e',
  cursor: () => toCursor(1_000_000),
};
/** Fields and parameters whose value names something that must already exist, even if only in another environment. */
const IDENTITIES: ReadonlySet<string> = new Set(words`
  connection_id connectionId provider_config_key providerConfigKey integration_id integrationId integration uniqueKey
  allowed_integrations environment_id key_id id connection-id provider-config-key
`);
/** The values of parameters whose meaning depends on the path, by path template. They take precedence over `MEMBERS`. */
const OF_A_PATH: Readonly<Record<string, (names: Names) => Json>> = {
  '/logs/{id}': ({ operationId }) => operationId,
  '/logs': ({ operationId }) => operationCursor(operationId),
  '/environments/{id}': ({ environmentId }) => environmentId,
  '/webhook-messages/{id}': ({ messageId }) => messageId,
  '/webhook-messages/{id}/replay': ({ messageId }) => messageId,
  // The event stream of this route ends only with the flow, so a flow is named that has already ended.
  '/connect/flows/{flow_id}/events': ({ endedFlowId }) => endedFlowId,
  '/connect/assets/{asset}': () => builtAsset('connect'),
  '/docs/assets/{asset}': () => builtAsset('docs'),
  '/webhook/{environment_uuid}/{unique_key}': ({ receiver }) => receiver,
  '/oauth/client-metadata/{environment_uuid}/{unique_key}': ({ describedClient }) => describedClient,
};
const AMBIGUOUS: ReadonlySet<string> = new Set(['id', 'unique_key', 'flow_id', 'asset']);
/** Objects in which the name of each field is the key of an integration. */
const KEYED_BY_INTEGRATION = ['integrations_config_defaults', 'overrides', 'choices'];

export function nameFor(names: Names, member: string, template = ''): Json | undefined {
  const isOfPath = (AMBIGUOUS.has(member) && template.includes(`{${member}}`)) || member === 'cursor';
  return ((isOfPath || member === 'id' ? OF_A_PATH[template] : undefined) ?? (member === 'id' ? undefined : MEMBERS[member]))?.(
    names,
  );
}

/**
 * Returns whether the value in this place must name something that exists. Values such as `end_user.id` need not, because the
 * caller chooses them.
 */
export function namesSomething(at: readonly string[], template: string): boolean {
  const [name = '', parent] = at.filter((part) => !/^\d+$/.test(part)).toReversed();
  // In all other places, `flow_id` is an ID that the caller chooses for a new flow.
  if (name === 'flow_id') return template.includes('{flow_id}');
  if (name === 'id') return parent === undefined && OF_A_PATH[template] !== undefined;
  return IDENTITIES.has(name);
}

/**
 * Returns a request that the route accepts, with the required parameters and the whole example body. The things in it are named
 * as in `names`.
 */
export function exampleRequest(operation: ApiOperation, names: Names): ApiRequest {
  const path: Record<string, string> = {};
  const query: Record<string, Json> = {};
  for (const { name, in: place, required, schema } of operation.parameters) {
    if (place === 'path') path[name] = String(nameFor(names, name, operation.template) ?? exampleValue(schema, names, name));
    if (place === 'query' && (required || name === 'connect_session_token')) query[name] = exampleValue(schema, names, name);
  }
  const headers = operation.isStream ? { 'provider-config-key': names.integration, 'connection-id': names.connectionId } : {};
  return { method: operation.method, template: operation.template, path, query, headers, body: exampleBody(operation, names) };
}

/** Returns a value that the schema allows, always the same one. */
export function exampleValue(schema: Schema, names: Names, member: string): Json {
  const byName = (name: string) => nameFor(names, name);
  return valueFor(schema, { random: new SeededRandom(1), resolve, byName, optional: 1 }, { member, depth: 0 });
}

function exampleBody({ body, bodyExample, name }: ApiOperation, names: Names): Json | undefined {
  if (body === undefined) return undefined;
  if (bodyExample !== undefined) return renamed(JSON.parse(JSON.stringify(bodyExample)), names);
  return renamed(exampleValue(body, names, name), names);
}

/** Returns a copy in which every field that names something has the value from `names`. */
function renamed(value: Json, names: Names, member = ''): Json {
  if (Array.isArray(value))
    return value.map((item) => renamed(item, names, member === 'allowed_integrations' ? 'integrationId' : member));
  if (typeof value !== 'object' || value === null) return nameFor(names, member) ?? value;
  const isKeyed = KEYED_BY_INTEGRATION.includes(member);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [isKeyed ? names.integration : name, renamed(one, names, isKeyed ? '' : name)]),
  );
}
