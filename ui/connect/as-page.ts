import { catchBack } from './back-button.ts';
import { kept } from './kept.ts';
import { startVisit, type Visit } from './visit.tsx';

/**
 * Prefix of the token in the fragment. A fragment without it is not from a connect link: some providers add a fragment
 * themselves.
 */
const TOKEN_PREFIX = 'svc_connect_session_';

/** Starts the page behind a connect link: the connect window, but in a tab instead of a frame. */
export function startAsPage(root: HTMLElement): void {
  document.documentElement.classList.add('page');
  let end = startLink(root);
  const restart = () => {
    end();
    end = startLink(root);
  };
  // A second link that is opened in this tab differs only in its fragment, so the browser does not reload the page.
  addEventListener('hashchange', () => location.hash.length > 1 && restart());
  // After the Back button was used at the provider, the browser may show the page in the state in which it was left, so it starts
  // again.
  addEventListener('pageshow', (event) => event.persisted && restart());
}

/**
 * Shows the window for the link that was opened, or else for the one that this tab has kept.
 *
 * @returns a function that ends the window
 */
function startLink(root: HTMLElement): () => void {
  const fragment = location.hash.slice(1);
  // The token is removed from the address bar immediately, so that nobody copies it.
  history.replaceState(null, '', location.pathname + location.search);
  const isLink = fragment.startsWith(TOKEN_PREFIX);
  if (isLink) {
    kept.endJourney();
    kept.keepLink(fragment, location.search);
  }
  const token = isLink ? fragment : kept.token();
  const journey = kept.journey();
  // After a visit to the provider's page, the URL is the one to which the callback redirected; it lacks the link's query.
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
