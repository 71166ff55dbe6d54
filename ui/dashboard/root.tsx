import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { online, pause } from '../shared/browser.ts';
import { Dashboard } from './app.tsx';
import { createToaster, Toasts } from './components/toast.tsx';
import { AppContext } from './context.ts';
import { createClient } from './core/client.ts';
import { Navigation } from './core/history.ts';
import { followLinks } from './core/links.ts';
import { Resources } from './core/resources.ts';
import { matchRoute } from './core/router.ts';
import { ROUTES } from './routes.ts';
import { Confirm } from './shell/confirm.tsx';
import { ME } from './wire.ts';

type Decide = (isConfirmed: boolean) => void;

/** Everything that lives as long as the tab. */
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
    // Who has signed out is not known any more.
    onSignedOut: () => leaveForSignIn(navigation, resources.get(ME).value !== undefined),
    onFactorNeeded: () => resources.invalidate(ME),
    confirm: () => new Promise<boolean>((resolve) => ask(resolve)),
  });
  const read = (path: string, signal: AbortSignal) => client.read(path, signal);
  const resources = new Resources({ read, now: () => new Date(), pause, online });
  return { toaster, app: { client, resources, navigation, toast: toaster.show } };
}

/** Back to the same address afterwards. @param wasThere somebody whose session has ended by itself */
function leaveForSignIn(navigation: Navigation, wasThere: boolean): void {
  const { path, query } = navigation.place;
  if (matchRoute(ROUTES, path)?.route.isOpen) return;
  const back = query.size === 0 ? path : `${path}?${query}`;
  const reason = wasThere ? '&reason=timeout' : '';
  navigation.replace(back === '' || back === 'e' ? 'login' : `login?return=${encodeURIComponent(back)}${reason}`);
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
