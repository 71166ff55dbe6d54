import type { Knex } from 'knex';
import { KeyRing, newKeyRingText } from '../../../core/kit/key-ring.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import type { applyRetention } from '../../../core/process/retention.ts';
import { TestClock } from '../../support/clock.ts';

/** For purges that tell nobody: no environment asks to be told. */
export function retentionDeps(db: Knex): Parameters<typeof applyRetention>[0] {
  return {
    db,
    log: createLogger({ level: 'silent' }),
    clock: new TestClock(),
    logRetentionDays: 15,
    keys: KeyRing.parse(newKeyRingText()),
    signals: {
      send: () => {
        throw new Error('nothing is to be sent');
      },
      subscribe: () => () => undefined,
      areReceived: true,
    },
    catalogue: { find: () => undefined, list: () => [], logo: async () => undefined, faults: [], replacements: [] },
  };
}
