import type { Knex } from 'knex';
import type { Listener } from './listener.ts';

const CHANNEL = 'svc_notices';

/** Notifies every instance that something changed, so that they drop cached values immediately, not only when these expire. */
export interface Notices {
  /**
   * Sends a notice per key when the transaction `db` commits, or immediately when `db` is not a transaction. The topic and a key
   * together must stay below 7,900 bytes.
   */
  publish(db: Knex, topic: string, keys: string | readonly string[]): Promise<void>;
  /**
   * @param onGap called when notices may have been missed: all cached values may be out of date
   * @returns a function that ends the subscription
   */
  subscribe(topic: string, onChange: (key: string) => void, onGap: () => void): () => void;
}

/** Creates notices for processes that only publish. */
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
