import type { Services } from '../../core/services.ts';
import { until } from './until.ts';

/**
 * Resolves when the notices of all that was written before have arrived: from then on nothing of it makes the service forget what
 * it remembers. Asked more than once, since a service that has just started does not listen yet.
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
