import type { Services } from '../../core/services.ts';
import { until } from './until.ts';

/**
 * Resolves when the service has received the notices of everything written so far, so that none of them can clear one of its
 * caches later in the test. The notice that proves this is published repeatedly, because a service that has just started may not
 * be listening yet.
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
