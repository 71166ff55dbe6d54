import { useEffect } from 'preact/hooks';
import { useApp, useEnvironment } from '../../app/context.ts';
import type { One, Reply } from '../../app/replies.ts';
import { pathOf } from '../../app/router.ts';
import { useResource } from '../../app/use-resource.ts';
import { Skeleton } from '../../components/skeleton.tsx';

/** Redirects from an environment's bare URL to its home page, or to the quick start as long as nobody has connected there. */
export function Beginning() {
  const { navigation } = useApp();
  const { name } = useEnvironment();
  const path = `api/ui/e/${encodeURIComponent(name)}/onboarding`;
  const { value, error } = useResource<One<Reply<'getOnboarding'>['data']>>(path);
  useEffect(() => {
    if (value === undefined && error === undefined) return;
    navigation.replace(pathOf(['e', name, value?.data.connection === null ? 'start' : 'home']));
  }, [name, value, error]);
  return <Skeleton rows={0} />;
}
