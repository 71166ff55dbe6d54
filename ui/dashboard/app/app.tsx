import { useEffect } from 'preact/hooks';
import { Failure } from '../components/failure.tsx';
import { Heading } from '../components/page.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { MeContext, ParamsContext, useApp } from './context.ts';
import { Loaded } from './loaded.tsx';
import { startOf } from './navigation.ts';
import { ME, type Me, type One } from './replies.ts';
import { matchRoute, type Params } from './router.ts';
import { type PageRoute, ROUTES } from './routes.ts';
import { Nothing } from './shell/nothing.tsx';
import { Shell } from './shell/shell.tsx';
import { t } from './texts/en.ts';
import { usePlace } from './use-place.ts';
import { useResource } from './use-resource.ts';

/** Renders the page that the URL names. */
export function Dashboard() {
  const { navigation } = useApp();
  const { path } = usePlace(navigation);
  const found = matchRoute(ROUTES, path);
  return found?.route.isOpen ? <OpenPage {...found} /> : <MemberPage path={path} found={found} />;
}

interface Found {
  readonly route: PageRoute;
  readonly params: Params;
}

function OpenPage({ route }: Found) {
  return (
    <div class="open">
      <Loaded route={route} />
    </div>
  );
}

function MemberPage({ path, found }: { readonly path: string; readonly found: Found | undefined }) {
  const { navigation } = useApp();
  const { value, error, reload } = useResource<One<Me>>(ME);
  const me = value?.data;
  const isStart = me !== undefined && (path === '' || path === 'e' || path === 'account');
  const mustEnrol = me?.must_enrol === true;
  useEffect(() => {
    if (mustEnrol) navigation.replace(isStart ? 'login/enrol' : `login/enrol?return=${encodeURIComponent(path)}`);
  }, [mustEnrol]);
  useEffect(() => {
    if (mustEnrol) return;
    if (isStart) navigation.replace(path === 'account' ? 'account/sessions' : startOf(me.environments[0]?.name ?? ''));
  }, [isStart, mustEnrol]);
  if (me === undefined && error !== undefined && error.code !== 'signed_out') {
    return (
      <div class="open">
        <main class="entry">
          <Heading>{t('brand')}</Heading>
          <Failure error={error} onRetry={reload} />
        </main>
      </div>
    );
  }
  if (me === undefined || isStart || mustEnrol) return <Skeleton rows={0} />;
  const name = found?.params['env'];
  const isKnown = name === undefined || me.environments.some((one) => one.name === name);
  return (
    <MeContext.Provider value={me}>
      <ParamsContext.Provider value={(isKnown && found?.params) || {}}>
        <Shell>{found && isKnown ? <Loaded route={found.route} key={path} /> : <Nothing />}</Shell>
      </ParamsContext.Provider>
    </MeContext.Provider>
  );
}
