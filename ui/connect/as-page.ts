import { catchBack } from './back-button.ts';
import { kept } from './kept.ts';
import { startVisit, type Visit } from './visit.tsx';

/** Prefix of the token in the fragment. Any other fragment is not from a link: some providers add one of their own. */
const TOKEN_PREFIX = 'svc_connect_session_';

/** Starts the page behind a connect link: the same window, in a tab of its own. */
export function startAsPage(root: HTMLElement): void {
  document.documentElement.classList.add('page');
  let end = startLink(root);
  const restart = () => {
    end();
    end = startLink(root);
  };
  // A second link that is opened in this tab differs in its fragment only: the browser does not load the page again.
  addEventListener('hashchange', () => location.hash.length > 1 && restart());
  // After the browser's Back button at the provider, the page may be as it was left.
  addEventListener('pageshow', (event) => event.persisted && restart());
}

/** Shows the window of the link that was opened, or of the one that was kept. @returns a function that ends it */
function startLink(root: HTMLElement): () => void {
  const fragment = location.hash.slice(1);
  // The token leaves the address bar at once, so that nobody copies it.
  history.replaceState(null, '', location.pathname + location.search);
  const isLink = fragment.startsWith(TOKEN_PREFIX);
  if (isLink) {
    kept.endJourney();
    kept.keepLink(fragment, location.search);
  }
  const token = isLink ? fragment : kept.token();
  const journey = kept.journey();
  // After a visit to the provider's page, the address is that of the callback's redirect and lacks the link's query.
  const query = new URLSearchParams(location.search || kept.query());
  const visit: Visit = startVisit(root, {
    mode: 'page',
    wanted: null,
    lang: query.get('lang'),
    theme: () => query.get('theme'),
    token: () => token ?? '',
    post() {},
    renew: () => Promise.resolve(false),
    keepJourney: kept.keepJourney,
    forget: () => token !== null && kept.forget(token),
  });
  const release = catchBack(visit.window);
  if (token === null) visit.window.refuseToken();
  else if (journey === null) void visit.window.load();
  else visit.window.resume(journey);
  return () => {
    release();
    visit.end();
  };
}
