import type { Reply } from '../../app/replies.ts';
import { capitalized } from '../../components/sentence.ts';
import type { Tone } from '../../components/tone.ts';
import { t, texts } from './texts.ts';

/** An operation of the service, with the fields that lists have. */
export type LogEntry = Reply<'listLogs'>['data'][number];
export type FullLogEntry = Reply<'getLog'>['data'];

export const TYPES = ['auth', 'refresh', 'proxy', 'webhook', 'script', 'deletion', 'admin'] as const;
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
