import { useEffect } from 'preact/hooks';
import { Skeleton } from '../../components/skeleton.tsx';
import { useApp, useEnvironment } from '../../context.ts';
import { pathOf } from '../../core/router.ts';
import { useResource } from '../../hooks/use-resource.ts';
import type { One, Reply } from '../../wire.ts';

/** Leads from an environment's bare address to its home, or to the quick start while nobody has connected there. */
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
