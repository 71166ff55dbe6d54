import type { Reply } from '../../app/replies.ts';
import { capitalized } from '../../components/sentence.ts';
import type { Tone } from '../../components/tone.ts';
import { t, texts } from './texts.ts';

/** An operation of the service, with the fields that lists have. */
export interface LogEntry {
  readonly id: string;
  readonly type: string;
  readonly operation: string;
  readonly status: string;
  readonly created_at: string;
  readonly ended_at: string | null;
  readonly duration_ms: number | null;
  readonly connection_id: string | null;
  readonly provider_config_key: string | null;
  /** The current name of the connection; null or absent when only its ID is known. */
  readonly connection_name?: string | null;
  /** The integration that has or had the key; null or absent when there is none. */
  readonly integration?: { readonly unique_key: string; readonly display_name: string; readonly logo: string } | null;
  readonly request_id: string | null;
  readonly actor: { readonly kind: string; readonly id: string | null; readonly name: string | null };
  readonly summary: string;
  readonly http_status: number | null;
  readonly error_code: string | null;
}

export interface FullLogEntry extends LogEntry {
  /** Why it failed; null if it did not, or the cause is unknown. */
  readonly cause: Reply<'getLog'>['data']['cause'];
  readonly messages: readonly {
    readonly at: string;
    readonly level: string;
    readonly message: string;
    readonly facts: Readonly<Record<string, unknown>>;
  }[];
}

export const TYPES = ['auth', 'refresh', 'proxy', 'webhook', 'script', 'deletion', 'admin'] as const;
export const ACTORS = ['api_key', 'member', 'session', 'script', 'system', 'cli'] as const;
export const STATUSES = ['success', 'failure', 'retrying', 'cancelled'] as const;

const TONES: Readonly<Record<string, Tone>> = { success: 'ok', failure: 'bad', retrying: 'warn' };

export function toneOf({ status }: LogEntry): Tone {
  return TONES[status] ?? 'idle';
}

/** Returns the word for a value, or the value itself if it is unknown, e.g. because the service is newer than this page. */
export function wordFor(kind: 'type' | 'status' | 'level', value: string): string {
  const key = { type: `type_${value}`, status: `status_${value}`, level: `level_${value}` }[kind];
  return isKey(key) ? t(key) : value;
}

export function actorOf({ actor }: LogEntry): string {
  return actorWord(actor.kind, actor.name ?? actor.id ?? '').trim();
}

/** Returns the description of an actor. @param name the actor's name; null for any actor of the kind */
export function actorWord(kind: string, name: string | null): string {
  const key = name === null ? `actors_${kind}` : `actor_${kind}`;
  return isKey(key) ? t(key, { name: name ?? '' }) : kind;
}

/** Returns the title of an entry, for its row and its page. */
export function titleOf({ summary, operation, type }: LogEntry): string {
  return summary ? capitalized(summary) : aboutOf({ type, operation });
}

/** Returns type and operation in words: "Webhook · forwarded", or only the type when both are the same. */
export function aboutOf({ type, operation }: Pick<LogEntry, 'type' | 'operation'>): string {
  const word = wordFor('type', type);
  return operation === type || operation === word.toLowerCase() ? word : `${word} · ${operation}`;
}

function isKey(key: string): key is keyof typeof texts {
  return Object.hasOwn(texts, key);
}
