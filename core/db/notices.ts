import type { Knex } from 'knex';
import type { Listener } from './listener.ts';

const CHANNEL = 'svc_notices';

/**
 * Tells every instance that something changed, so that what they remember of it is forgotten at once and not only when it
 * expires.
 */
export interface Notices {
  /** Sent when the transaction `db` commits, at once when `db` is none. Topic and each key together stay below 7,900 bytes. */
  publish(db: Knex, topic: string, keys: string | readonly string[]): Promise<void>;
  /**
   * @param onGap for when notices may have been missed: what is remembered may all be out of date
   * @returns the end of the subscription
   */
  subscribe(topic: string, onChange: (key: string) => void, onGap: () => void): () => void;
}

/** For processes that only publish. */
export function createPublisher(): Pick<Notices, 'publish'> {
  return {
    async publish(db, topic, keys) {
      const payloads = [keys].flat().map((key) => JSON.stringify([topic, key]));
      await db.raw('select pg_notify(?, payload) from unnest(?::text[]) as payload', [CHANNEL, payloads]);
    },
  };
}

export function createNotices(listener: Listener): Notices {
  return {
    ...createPublisher(),
    subscribe(topic, onChange, onGap) {
      const onPayload = (payload: string) => {
        const [noticedTopic, key] = JSON.parse(payload);
        if (noticedTopic === topic) onChange(key);
      };
      return listener.subscribe(CHANNEL, { onPayload, onGap });
    },
  };
}
