import type { Reply } from '../../app/replies.ts';
import { t } from './texts.ts';

export type Key = Reply<'listKeys'>['data'][number];
export type NewKey = Reply<'createKey'>['data'];

type Preset = 'full' | 'connect' | 'backend' | 'read';
type Group =
  | 'integrations'
  | 'connections'
  | 'connect_sessions'
  | 'proxy'
  | 'scripts'
  | 'logs'
  | 'webhooks'
  | 'variables'
  | 'environments'
  | 'api_keys';

/** The last part of a scope. */
type Action = 'list' | 'read' | 'read_credentials' | 'create' | 'update' | 'delete' | 'write' | 'proxy' | 'override' | 'replay';

/** One of the two kinds of API keys: keys of an environment, and keys of the account. */
export interface Plane {
  /** The scopes of the usual purposes of a key. */
  readonly presets: { readonly [Name in Preset]?: readonly string[] };
  readonly proposed: Preset;
  /** All scopes by group, except those that include others. */
  readonly groups: { readonly [Name in Group]?: readonly string[] };
  /** An example of a key's name. */
  readonly example: string;
  /** The name of the environment variable in which a process holds its key. */
  readonly variable: string;
}

const below = (stem: string, ...actions: readonly string[]) => actions.map((action) => `${stem}:${action}`);

export const ENVIRONMENT_PLANE: Plane = {
  presets: {
    full: ['environment:*'],
    connect: ['environment:connect_sessions:write'],
    backend: [
      ...below('environment:connections', 'list', 'read'),
      'environment:connect_sessions:write',
      'environment:proxy',
      'environment:integrations:list',
    ],
    read: [
      ...below('environment:integrations', 'list', 'read'),
      ...below('environment:connections', 'list', 'read'),
      'environment:scripts:list',
      'environment:logs:read',
      'environment:webhooks:read',
    ],
  },
  proposed: 'backend',
  groups: {
    integrations: below('environment:integrations', 'list', 'read', 'read_credentials', 'create', 'update', 'delete'),
    connections: below('environment:connections', 'list', 'read', 'read_credentials', 'create', 'update', 'delete'),
    connect_sessions: ['environment:connect_sessions:write'],
    proxy: ['environment:proxy', 'environment:proxy:override'],
    scripts: below('environment:scripts', 'list', 'read', 'write'),
    logs: ['environment:logs:read'],
    webhooks: below('environment:webhooks', 'read', 'replay'),
    variables: ['environment:variables:read'],
  },
  example: 'backend',
  variable: 'SVC_KEY',
};

export const ACCOUNT_PLANE: Plane = {
  presets: {
    full: ['account:*'],
    read: ['account:environments:list', 'account:environments:api_keys:list'],
  },
  proposed: 'full',
  groups: {
    environments: below('account:environments', 'list', 'create', 'delete'),
    api_keys: below('account:environments:api_keys', 'list', 'create', 'delete'),
  },
  example: 'provisioning',
  variable: 'SVC_ACCOUNT_KEY',
};

export function presetsOf({ presets }: Plane): readonly (readonly [Preset, readonly string[]])[] {
  return Object.entries(presets) as [Preset, readonly string[]][];
}

export function groupsOf({ groups }: Plane): readonly (readonly [Group, readonly string[]])[] {
  return Object.entries(groups) as [Group, readonly string[]][];
}

export function isExpired({ expires_at: end }: Key): boolean {
  return end !== null && new Date(end) <= new Date();
}

/** The longest time for which a replaced key keeps working. */
const LONGEST_OVERLAP_MS = 7 * 24 * 60 * 60_000;

/**
 * Returns which other keys with full access would be left without a key: none, or only such that soon expire, as replaced ones
 * do. Undefined for a key that has no full access itself, and while another one lasts.
 */
export function leftWithout(plane: Plane, key: Key, keys: readonly Key[]): 'none' | 'expiring' | undefined {
  if (!isFullAccess(plane, key)) return undefined;
  const others = keys.filter((one) => one.id !== key.id && isFullAccess(plane, one));
  const soon = new Date(Date.now() + LONGEST_OVERLAP_MS);
  if (others.some(({ expires_at: end }) => end === null || new Date(end) > soon)) return undefined;
  return others.length === 0 ? 'none' : 'expiring';
}

/** Returns whether a key has not expired and may do everything. */
function isFullAccess({ presets }: Plane, key: Key): boolean {
  return presets.full?.every((scope) => key.scopes.includes(scope)) === true && !isExpired(key);
}

/** Describes scopes in words: by the name of a preset, or by what is allowed in each group. */
export function inWords(plane: Plane, scopes: readonly string[]): string {
  const sorted = [...scopes].sort().join();
  const preset = presetsOf(plane).find(([, held]) => [...held].sort().join() === sorted);
  if (preset !== undefined) return t(`preset_${preset[0]}`);
  return groupsOf(plane)
    .map(([group, all]) => [group, all, all.filter((scope) => isGranted(scopes, scope))] as const)
    .filter(([, , held]) => held.length > 0)
    .map(([group, all, held]) => {
      const actions = held.length === all.length ? [t('scope_all')] : held.map(wordOf);
      return `${t(`group_${group}`)}: ${actions.join(', ').toLowerCase()}`;
    })
    .join(' · ');
}

/** Returns the word for what a scope allows in its group. */
export function wordOf(scope: string): string {
  return t(`scope_${scope.slice(scope.lastIndexOf(':') + 1) as Action}`);
}

/** Returns whether the scopes include the wanted one, by the same rule as the service. */
export function isGranted(scopes: readonly string[], wanted: string): boolean {
  return scopes.some((scope) => scope === wanted || (scope.endsWith(':*') && wanted.startsWith(scope.slice(0, -1))));
}
