import type { Reply } from '../app/replies.ts';
import { pathOf } from '../app/router.ts';
import type { IconName } from '../components/icon.tsx';
import { logsPath } from '../components/logs-path.ts';
import type { Address } from '../components/reconnect-session.ts';
import { capitalized } from '../components/sentence.ts';
import { STATE_TONES, type Tone } from '../components/tone.ts';
import { accountName, connectionName } from '../components/whose.ts';
import { isFoundIn } from './matches.ts';
import { t, texts } from './texts.ts';

export type Found = Reply<'search'>['data'];
type Connection = Found['connections'][number];
type Operation = Found['operations'][number];

type Face = { readonly person: string } | { readonly logo: string | null; readonly of: string } | { readonly icon: IconName };

/** A result of a search, which leads to a page, or copies a link. */
export interface Result {
  readonly key: string;
  readonly name: string;
  /** What else is known of it; preferably the text in which a term was found. */
  readonly about?: string | undefined;
  readonly face: Face;
  readonly badge?: { readonly tone: Tone; readonly text: string } | undefined;
  /** The page to which it leads. */
  readonly href?: string;
  /** The connection whose reconnect link it copies. */
  readonly reconnect?: Address;
}

export interface ResultGroup {
  readonly title: string;
  readonly results: readonly Result[];
}

/** What was typed, and its terms. */
interface Typed {
  readonly text: string;
  readonly terms: readonly string[];
}

/** Returns what the service has found in an environment, by kind. */
export function foundGroups(found: Found, environment: string, typed: Typed): readonly ResultGroup[] {
  const { connections, has_more_connections: hasMore, integrations, operations, webhook } = found;
  const { text } = typed;
  const list = `${pathOf(['e', environment, 'connections'])}?search=${encodeURIComponent(text)}`;
  const all: Result = { key: 'all connections', name: t('all_connections', { text }), face: { icon: 'find' }, href: list };
  const log = logsPath(environment, { search: text });
  const allOperations: Result = { key: 'all operations', name: t('all_operations', { text }), face: { icon: 'find' }, href: log };
  return [
    {
      title: t('connections'),
      results: [...connections.map((one) => connectionResult(one, environment, typed)), ...(hasMore ? [all] : [])],
    },
    { title: t('integrations'), results: integrations.map((one) => integrationResult(one, environment)) },
    {
      title: t('operations'),
      results: operations.length === 0 ? [] : [...operations.map((one) => operationResult(one, environment)), allOperations],
    },
    { title: t('webhooks'), results: webhook === null ? [] : [webhookResult(webhook, environment)] },
  ];
}

/** Returns the action that copies a reconnect link for the first connection that was found. */
export function reconnectResults({ connections: [first] }: Found, environment: string): readonly Result[] {
  if (first === undefined) return [];
  const { provider_config_key: integration, connection_id: id } = first;
  const name = t('copy_reconnect', { name: connectionName(first) });
  return [{ key: 'reconnect', name, face: { icon: 'copy' }, reconnect: { environment, integration, id } }];
}

function connectionResult(one: Connection, environment: string, { terms }: Typed): Result {
  const { provider_config_key: key, connection_id: id, state } = one;
  const name = connectionName(one);
  return {
    key: `connection ${key} ${id}`,
    name,
    about: aboutConnection(one, name, terms),
    face: { person: name },
    badge: { tone: STATE_TONES[state], text: t(`state_${state}`) },
    href: pathOf(['e', environment, 'connections', key, id, 'overview']),
  };
}

/** Returns the text in which a term was found, if that is not the name; otherwise the integration. */
function aboutConnection(one: Connection, name: string, terms: readonly string[]): string {
  const { email, provider_account: account, tags, connection_id: id, integration_name: integration } = one;
  const signedIn = account && t('signed_in_as', { name: accountName(account) });
  const said = Object.entries(tags).map(([key, value]) => t('tag', { key, value }));
  const texts = [email, signedIn, account?.email, ...said, id].filter((text) => text && text !== name);
  return texts.find((text) => text && isFoundIn(text, terms)) || (email && email !== name ? email : integration);
}

function integrationResult({ unique_key: key, display_name, logo }: Found['integrations'][number], environment: string): Result {
  return {
    key: `integration ${key}`,
    name: display_name,
    about: key === display_name ? undefined : key,
    face: { logo, of: display_name },
    href: pathOf(['e', environment, 'integrations', key, 'settings']),
  };
}

function operationResult(one: Operation, environment: string): Result {
  const { id, summary, operation, status, integration, connection_name: endUser } = one;
  const failure = status === 'failure' ? 'failed' : status === 'retrying' ? 'retrying' : undefined;
  return {
    key: `operation ${id}`,
    name: summary === '' ? operation : capitalized(summary),
    about: endUser ?? integration?.display_name,
    face: integration === null ? { icon: 'log' } : { logo: integration.logo, of: integration.display_name },
    badge: failure && { tone: failure === 'failed' ? 'bad' : 'warn', text: t(failure) },
    href: pathOf(['e', environment, 'logs', id]),
  };
}

function webhookResult({ id, type, status }: NonNullable<Found['webhook']>, environment: string): Result {
  const key = `message_${status}`;
  return {
    key: `webhook ${id}`,
    name: id,
    about: type,
    face: { icon: 'send' },
    badge: { tone: status === 'failed' ? 'bad' : 'idle', text: isText(key) ? t(key) : status },
    href: pathOf(['e', environment, 'webhooks', 'sent', id]),
  };
}

function isText(key: string): key is keyof typeof texts {
  return Object.hasOwn(texts, key);
}
