import { catchBack } from './back-button.ts';
import { kept } from './kept.ts';
import { startVisit, type Visit } from './visit.tsx';

/** Anything else in the address is not from a link: some providers add a fragment of their own. */
const TOKEN_PREFIX = 'svc_connect_session_';

/** The page behind a connect link: the same window, in a tab of its own. */
export function startAsPage(root: HTMLElement): void {
  document.documentElement.classList.add('page');
  let end = startLink(root);
  const restart = () => {
    end();
    end = startLink(root);
  };
  // A second link that is opened in this tab differs in its fragment only: the browser does not load the page again.
  addEventListener('hashchange', () => location.hash.length > 1 && restart());
  // Back from the provider by the browser's button: the page may be as it was left.
  addEventListener('pageshow', (event) => event.persisted && restart());
}

/** @returns ends what was shown of an earlier link */
function startLink(root: HTMLElement): () => void {
  const fragment = location.hash.slice(1);
  // Out of the address bar at once, so that nobody copies it.
  history.replaceState(null, '', location.pathname + location.search);
  const isLink = fragment.startsWith(TOKEN_PREFIX);
  if (isLink) {
    kept.endJourney();
    kept.keepLink(fragment, location.search);
  }
  const token = isLink ? fragment : kept.token();
  const journey = kept.journey();
  // The provider's page has been between: the address is that of the callback's redirect.
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
