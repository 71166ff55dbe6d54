import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { ApiError } from '../../kit/api-error.ts';
import { Failure } from '../components/failure.tsx';
import { Heading } from '../components/page.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { useApp } from './context.ts';
import { pageVersion, runningVersion } from './page-version.ts';
import type { PageRoute } from './routes.ts';
import { keepScroll } from './scroll.ts';
import { Outdated } from './shell/outdated.tsx';
import { t } from './texts/en.ts';
import { useOnline } from './use-online.ts';

const NO_RESPONSE = new ApiError('no_response', { status: 0 });

const loaded = new Map<PageRoute, ComponentType>();

/**
 * Renders a page once its bundle has loaded. If that fails, another version of the service may be running, whose files have other
 * names; otherwise the service did not respond.
 */
export function Loaded({ route }: { readonly route: PageRoute }) {
  const { navigation } = useApp();
  const [loads, setLoads] = useState(0);
  const [failure, setFailure] = useState<'outdated' | 'no_response' | undefined>();
  const Component = loaded.get(route);
  const isOnline = useOnline();
  useEffect(() => {
    if (Component !== undefined) return;
    setFailure(undefined);
    route.load().then(
      (component) => {
        loaded.set(route, component);
        setLoads((count) => count + 1);
      },
      async () => {
        const running = await runningVersion();
        setFailure(running === undefined || running === pageVersion() ? 'no_response' : 'outdated');
      },
    );
  }, [route, isOnline, loads]);
  useLayoutEffect(() => {
    if (Component === undefined) return;
    if (navigation.arrival === 'back') return keepScroll(navigation.scrollTop);
    if (navigation.arrival === 'forth') scrollTo(0, 0);
  }, [Component]);
  if (Component !== undefined) return <Component />;
  if (failure === undefined) return <Skeleton rows={3} />;
  return (
    <>
      <Heading>{t('page_not_loaded')}</Heading>
      {failure === 'outdated' ? (
        <Outdated />
      ) : (
        <Failure error={NO_RESPONSE} title="" onRetry={() => setLoads((count) => count + 1)} />
      )}
    </>
  );
}
