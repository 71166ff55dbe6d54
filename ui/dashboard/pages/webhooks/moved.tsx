import { useEffect } from 'preact/hooks';
import { useApp, useEnvironment } from '../../app/context.ts';
import { pathOf } from '../../app/router.ts';
import { usePlace } from '../../app/use-place.ts';
import { Skeleton } from '../../components/skeleton.tsx';

/** Redirects to the first part of the webhooks, and from the addresses that these pages had before. */
export function Moved() {
  const { navigation } = useApp();
  const { name } = useEnvironment();
  const { path, query } = usePlace(navigation);
  useEffect(() => {
    const below = (...parts: readonly string[]) => pathOf(['e', name, 'webhooks', ...parts]);
    const message = query.get('message');
    if (path === below()) navigation.replace(below('sent'));
    else if (path.endsWith('/inbox')) navigation.replace(below('inbox'));
    else if (message !== null) navigation.replace(below('sent', message));
    else navigation.replace(query.size > 0 ? `${below('sent')}?${query}` : below('endpoints'));
  }, [path]);
  return <Skeleton rows={0} />;
}
