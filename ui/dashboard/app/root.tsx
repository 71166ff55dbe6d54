import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { online, pause } from '../../kit/browser.ts';
import { createToaster, Toasts } from '../components/toast.tsx';
import { Dashboard } from './app.tsx';
import { createClient } from './client.ts';
import { AppContext } from './context.ts';
import { Navigation } from './history.ts';
import { followLinks } from './links.ts';
import { ME, SECOND_STEP } from './replies.ts';
import { Resources } from './resources.ts';
import { matchRoute } from './router.ts';
import { ROUTES } from './routes.ts';
import { Confirm } from './shell/confirm.tsx';

type Decide = (isConfirmed: boolean) => void;

/** The root component: everything that lives as long as the tab. */
export function Root({ base }: { readonly base: string }) {
  const [asking, setAsking] = useState<{ readonly decide: Decide } | undefined>();
  const { app, toaster } = useMemo(() => createApp(base, (decide) => setAsking({ decide })), [base]);
  useLayoutEffect(() => listen(app), [app]);
  const answer: Decide = (isConfirmed) => {
    setAsking(undefined);
    asking?.decide(isConfirmed);
  };
  return (
    <AppContext.Provider value={app}>
      <Dashboard />
      {asking && <Confirm onAnswer={answer} />}
      <Toasts toaster={toaster} />
    </AppContext.Provider>
  );
}

function createApp(base: string, ask: (decide: Decide) => void) {
  const navigation = new Navigation({ base, history, href: () => location.href, scrollY: () => scrollY });
  const toaster = createToaster();
  const client = createClient({
    base,
    fetch: fetch.bind(globalThis),
    // Signing out in this tab forgets the member and the unfinished sign-in. If one of them is still known, the session has ended
    // for another reason: its time is over, or it was ended elsewhere.
    onSignedOut: () =>
      leaveForSignIn(
        navigation,
        [ME, SECOND_STEP].some((path) => resources.get(path).value !== undefined),
      ),
    // Only the member is reloaded: without the second factor, the service would refuse other requests again.
    onFactorNeeded: () => void resources.load(ME),
    confirm: () => new Promise<boolean>((resolve) => ask(resolve)),
  });
  const read = (path: string, signal: AbortSignal) => client.read(path, signal);
  const resources = new Resources({ read, now: () => new Date(), pause, online });
  return { toaster, app: { client, resources, navigation, toast: toaster.show } };
}

/**
 * Goes to the sign-in page, from which the user returns to the current page.
 *
 * @param wasThere true if there was a session that was not ended in this tab
 */
function leaveForSignIn(navigation: Navigation, wasThere: boolean): void {
  const { path, query } = navigation.place;
  // During an unfinished sign-in, the page's query already contains the place to return to.
  const isHalfIn = path.startsWith('login/');
  if (!isHalfIn && matchRoute(ROUTES, path)?.route.isOpen) return;
  const back = isHalfIn ? (query.get('return') ?? '') : query.size === 0 ? path : `${path}?${query}`;
  const wanted = back === '' || back === 'e' ? [] : [`return=${encodeURIComponent(back)}`];
  const told = wasThere && (isHalfIn || wanted.length > 0) ? ['reason=ended'] : [];
  navigation.replace(['login', [...wanted, ...told].join('&')].filter((part) => part !== '').join('?'));
}

function listen({ navigation, resources }: Pick<ReturnType<typeof createApp>['app'], 'navigation' | 'resources'>): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  followLinks(document, navigation, (path) => matchRoute(ROUTES, path) !== undefined, signal);
  addEventListener('popstate', () => navigation.popped(), { signal });
  addEventListener('scrollend', () => navigation.remember(), { signal });
  addEventListener('focus', () => resources.refresh(), { signal });
  addEventListener('online', () => resources.refresh(), { signal });
  return () => stop.abort();
}
