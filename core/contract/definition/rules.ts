import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { mapFieldOf } from '../maps.ts';
import { hostPlaceholdersOf, isSandboxPath, splitPlaceholder } from '../templates.ts';
import { settingOf } from './api-key.ts';
import type { ProviderDefinition } from './members.ts';
import { urlTemplatesOf } from './url-templates.ts';

const CLIENT_SECRET = '${clientSecret}';
/**
 * Properties of `provider.json` that are used only in requests to the token endpoint, so that they may contain the app's secret.
 */
const TOKEN_REQUESTS: ReadonlySet<string> = new Set(['token_params', 'refresh_params', 'token_headers']);

const STEP_VALUE = /\$\{steps\.(\d*)/g;
const FIELD = /\$\{(credentials|connectionConfig|integrationConfig)\.([\w-]+)\}/g;

/** Auth modes that a sandbox can play. */
const PLAYABLE_MODES = ['OAUTH2', 'API_KEY', 'BASIC'];
/** Properties that a sandbox's definition cannot have, because URLs of other servers could come from them. */
const UNPLAYABLE_MEMBERS = ['issuer', 'plugin', 'integration_config', 'connection_config'] as const;

const MAP_VALUE = /\$\{maps\.([\w-]+)(?:\.([\w-]+))?(?![\w-])[^${}]*\}/g;

const KEY_PLACES: readonly string[] = ['header', 'query'];

const FORMS = {
  connectionConfig: 'connection_config',
  integrationConfig: 'integration_config',
  credentials: 'credentials',
} as const;

const CONNECTION_FIELD = /\$\{(?:connectionConfig|maps)\.([\w-]+)/g;

/**
 * Requires hidden fields for the values that decide whose tokens are issued when the callback brings no code. Without a code
 * nothing proves that the consent was given by the user who comes back: anyone can write another value into the callback. So only
 * the application's backend may say whose tokens the app requests.
 */
export function requireFixedOwner(definition: ProviderDefinition, check: z.core.$RefinementCtx): void {
  const { callback, connection_config: fields = {}, redirect_uri_metadata: brought = [] } = definition;
  if (callback?.grant !== 'client_credentials') return;
  const { issuer, token_url, token_params, token_headers, client_assertion } = definition;
  const request = JSON.stringify([issuer, token_url, token_params, token_headers, client_assertion]);
  for (const [, name = ''] of request.matchAll(CONNECTION_FIELD)) {
    const isHidden = Object.hasOwn(fields, name) && fields[name]?.hidden === true;
    if (isHidden && !brought.includes(name)) continue;
    const message = `"${name}" decides whose tokens are issued: it must be a hidden field, and must not come from the callback`;
    check.addIssue({ code: 'custom', path: ['callback', 'grant'], message });
  }
}

/**
 * Requires a field that is part of a host to restrict its values (pattern, format or enum), since secrets are sent to this host.
 */
export function requireBoundHosts(definition: ProviderDefinition, check: z.core.$RefinementCtx): void {
  for (const { path, template, hostPattern } of urlTemplatesOf(definition)) {
    for (const placeholder of hostPlaceholdersOf(template)) {
      const isOfResponse = placeholder.startsWith('steps.');
      if (isOfResponse ? hostPattern !== undefined : isBound(definition, placeholder) || isOperatorsPage(path, placeholder))
        continue;
      const message = isOfResponse
        ? `"${placeholder}" decides the host: only a step with a host_pattern may take it from a response`
        : `"${placeholder}" decides the host: it must be a declared field with a pattern, a format or an enum`;
      check.addIssue({ code: 'custom', path, message });
    }
  }
}

/**
 * Returns whether a host is that of the page where an app is installed: the operator sets it, and only browsers are sent there.
 */
function isOperatorsPage([field]: readonly (string | number)[], placeholder: string): boolean {
  return field === 'authorization_url' && placeholder === 'integration.appLink';
}

function isBound(definition: ProviderDefinition, placeholder: string): boolean {
  const { group, field: name } = splitPlaceholder(placeholder);
  if (group === 'maps') return true; // The values of a map come from the definition, not from a user.
  const form = Object.hasOwn(FORMS, group) ? definition[FORMS[group as keyof typeof FORMS]] : undefined;
  const field = form !== undefined && Object.hasOwn(form, name) ? form[name] : undefined;
  return (field?.pattern ?? field?.format ?? field?.enum) !== undefined;
}

/**
 * Requires that settings that say where the API key goes in a request always have a value, and only values that are possible
 * there.
 */
export function requireKeyPlace({ proxy, integration_config: fields }: ProviderDefinition, check: z.core.$RefinementCtx): void {
  const place = proxy?.api_key;
  for (const member of ['in', 'name'] as const) {
    const name = settingOf(place?.[member] ?? '');
    if (name === undefined) continue;
    const field = fields && Object.hasOwn(fields, name) ? fields[name] : undefined;
    const isFitting =
      member === 'in' ? field?.enum?.every((choice) => KEY_PLACES.includes(choice)) : field?.format === 'header_name';
    const isAlwaysSet = field?.optional !== true || field.default_value !== undefined;
    if (isFitting === true && isAlwaysSet) continue;
    const bound = member === 'in' ? 'an enum of header and query' : 'the format header_name';
    const message = `"${name}" must be a declared field with ${bound}, and required or with a default value`;
    check.addIssue({ code: 'custom', path: ['proxy', 'api_key', member], message });
  }
}

type ValueMap = NonNullable<ProviderDefinition['maps']>[string];

/**
 * Requires that each map has a row for every value that its field can have, and that every row has the values that templates
 * use.
 */
export function requireWholeMaps(definition: ProviderDefinition, check: z.core.$RefinementCtx): void {
  const fault = (path: string[], message: string) => check.addIssue({ code: 'custom', path: ['maps', ...path], message });
  for (const [name, map] of Object.entries(definition.maps ?? {})) {
    const values = fieldOf(definition, name)?.enum;
    if (values === undefined)
      fault([name], 'must have the name of a field of connection_config or of integration_config that has an enum');
    else if (!isDeepStrictEqual(new Set(values), new Set(Object.keys(map))))
      fault([name], `must have a row for each value of the field's enum and no others: ${values.join(', ')}`);
    if (new Set(Object.values(map).map((row) => Object.keys(row).sort().join())).size > 1)
      fault([name], 'must have values of the same names in every row');
  }
  for (const [whole, name = '', key = ''] of JSON.stringify(definition).matchAll(MAP_VALUE))
    if (!hasValue(definition.maps, name, key)) fault([], `"${whole}" is not a value of a map`);
}

function fieldOf(definition: ProviderDefinition, name: string) {
  const found = mapFieldOf(definition, name);
  return found && definition[found.group]?.[found.field];
}

function hasValue(maps: Readonly<Record<string, ValueMap>> = {}, name: string, key: string): boolean {
  const rows = Object.hasOwn(maps, name) ? Object.values(maps[name] ?? {}) : [];
  return rows.length > 0 && rows.every((row) => Object.hasOwn(row, key));
}

/**
 * Requires that all URLs of a sandbox are paths of this service, and that no other definition has such paths, so that a sandbox
 * never leads to another server and no other provider to the sandbox.
 */
export function requireSandboxPaths(definition: ProviderDefinition, check: z.core.$RefinementCtx): void {
  const { sandbox = false, auth_mode: mode, proxy } = definition;
  for (const { path, template } of urlTemplatesOf(definition)) {
    if (isSandboxPath(template) === sandbox) continue;
    const message = sandbox
      ? 'must be a path below /sandbox/ in a sandbox provider'
      : 'must be a URL: only a sandbox provider has paths of this service';
    check.addIssue({ code: 'custom', path, message });
  }
  if (!sandbox) return;
  if (!PLAYABLE_MODES.includes(mode))
    check.addIssue({
      code: 'custom',
      path: ['auth_mode'],
      message: `must be one of ${PLAYABLE_MODES.join(', ')} for a sandbox provider`,
    });
  for (const member of UNPLAYABLE_MEMBERS.filter((name) => definition[name] !== undefined))
    check.addIssue({ code: 'custom', path: [member], message: `a sandbox provider cannot have ${member}` });
  if (proxy?.allowed_hosts !== undefined)
    check.addIssue({ code: 'custom', path: ['proxy', 'allowed_hosts'], message: 'a sandbox provider cannot have further hosts' });
}

type DeclaredRequest = Pick<ProviderDefinition, 'token_url' | 'token_request_method' | 'token_params' | 'token_headers'>;

/** Requires that steps use responses of earlier steps only, and put no secret into a URL, since servers and proxies log URLs. */
export function checkSteps(definition: ProviderDefinition, check: z.core.$RefinementCtx): void {
  const { token_url, token_request_method, token_params, token_headers, additional_steps = [] } = definition;
  const steps: readonly DeclaredRequest[] = [
    { token_url, token_request_method, token_params, token_headers },
    ...additional_steps,
  ];
  for (const [index, step] of steps.entries()) {
    const path = index === 0 ? ['token_url'] : ['additional_steps', index - 1];
    for (const [whole, number = ''] of JSON.stringify(step).matchAll(STEP_VALUE)) {
      if (number !== '' && Number(number) < index) continue;
      check.addIssue({ code: 'custom', path, message: `"${whole}…}" is not the response of an earlier step` });
    }
    for (const name of secretsInUrl(definition, step))
      check.addIssue({ code: 'custom', path, message: `"${name}" is secret: it must not be part of a URL` });
  }
}

function secretsInUrl(definition: ProviderDefinition, step: DeclaredRequest): readonly string[] {
  const { credentials, connection_config: connectionConfig, integration_config: integrationConfig } = definition;
  const forms = new Map(Object.entries({ credentials, connectionConfig, integrationConfig }));
  const inUrl = [step.token_url, ...(step.token_request_method === 'GET' ? [step.token_params] : [])];
  return Array.from(JSON.stringify(inUrl).matchAll(FIELD)).flatMap(([, group = '', name = '']) => {
    const form = forms.get(group) ?? {};
    return Object.hasOwn(form, name) && form[name]?.secret === true ? [`${group}.${name}`] : [];
  });
}

/** Requires that the app's secret is sent to the token endpoint alone, never to the API or through the browser. */
export function requireSecretPlaces(definition: ProviderDefinition, check: z.core.$RefinementCtx): void {
  for (const [member, value] of Object.entries(definition)) {
    if (TOKEN_REQUESTS.has(member) || !JSON.stringify(value ?? null).includes(CLIENT_SECRET)) continue;
    check.addIssue({ code: 'custom', path: [member], message: `${CLIENT_SECRET} may be used in token requests only` });
  }
}

/** Requires a base URL for the calls that the definition declares: that of the API, unless each call has its own. */
export function requireApi({ identity, discover = [], proxy }: ProviderDefinition, check: z.core.$RefinementCtx): void {
  if (proxy !== undefined) return;
  const calls = [{ call: identity, path: ['identity'] }, ...discover.map((call, index) => ({ call, path: ['discover', index] }))];
  for (const { call, path } of calls)
    if (call !== undefined && call.base_url === undefined)
      check.addIssue({ code: 'custom', path, message: 'needs a base_url, since there is no proxy.base_url' });
}
