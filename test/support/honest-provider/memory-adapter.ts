import type { Adapter, AdapterPayload } from 'oidc-provider';

interface Stored {
  readonly payload: AdapterPayload;
  readonly expiresAt: number;
}

/**
 * The storage of one oidc-provider instance. The storage that is built into the library is shared by all instances of the
 * process, and prints a warning.
 */
export class MemoryStore {
  readonly #models = new Map<string, Map<string, Stored>>();

  readonly adapter = (model: string): Adapter => {
    const rows = this.#models.get(model) ?? new Map<string, Stored>();
    this.#models.set(model, rows);
    return createAdapter(rows);
  };
}

function createAdapter(rows: Map<string, Stored>): Adapter {
  const find = async (matches: (id: string, payload: AdapterPayload) => boolean): Promise<AdapterPayload | undefined> => {
    for (const [id, { payload, expiresAt }] of rows) if (expiresAt > Date.now() && matches(id, payload)) return payload;
    return undefined;
  };
  return {
    find: (id) => find((candidate) => candidate === id),
    findByUid: (uid) => find((_id, payload) => payload.uid === uid),
    findByUserCode: (code) => find((_id, payload) => payload.userCode === code),
    upsert: async (id, payload, expiresIn) => {
      const lifeMs = expiresIn === undefined ? Number.POSITIVE_INFINITY : expiresIn * 1000;
      rows.set(id, { payload, expiresAt: Date.now() + lifeMs });
    },
    consume: async (id) => {
      const stored = rows.get(id);
      if (stored !== undefined) stored.payload.consumed = Math.floor(Date.now() / 1000);
    },
    destroy: async (id) => void rows.delete(id),
    revokeByGrantId: async (grantId) => {
      for (const [id, { payload }] of rows) if (payload.grantId === grantId) rows.delete(id);
    },
  };
}
