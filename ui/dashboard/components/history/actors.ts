import { t, texts } from './texts.ts';

export const ACTORS = ['api_key', 'member', 'session', 'script', 'system', 'cli'] as const;

export interface Actor {
  readonly kind: string;
  readonly id: string | null;
  readonly name: string | null;
}

/** Returns the description of who caused an entry. */
export function actorOf({ actor }: { readonly actor: Actor }): string {
  return actorWord(actor.kind, actor.name ?? actor.id ?? '').trim();
}

/**
 * Returns the description of an actor; the kind itself if it is unknown, e.g. because the service is newer than this page.
 *
 * @param name the actor's name; null for any actor of the kind
 */
export function actorWord(kind: string, name: string | null): string {
  const key = name === null ? `actors_${kind}` : `actor_${kind}`;
  return isKey(key) ? t(key, { name: name ?? '' }) : kind;
}

function isKey(key: string): key is keyof typeof texts {
  return Object.hasOwn(texts, key);
}
