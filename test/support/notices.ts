import type { Services } from '../../core/services.ts';
import { until } from './until.ts';

/**
 * Resolves when the notices of everything written before have arrived, so that none of them clears a cache of the service
 * afterwards. A notice is published repeatedly, since a service that has just started does not listen yet.
 */
export async function noticesArrived({ notices, db }: Pick<Services, 'notices' | 'db'>): Promise<void> {
  let isHere = false;
  const onChange = () => {
    isHere = true;
  };
  const end = notices.subscribe('last', onChange, () => undefined);
  await until('notices arrive', async () => {
    await notices.publish(db, 'last', 'one');
    return isHere;
  });
  end();
}
