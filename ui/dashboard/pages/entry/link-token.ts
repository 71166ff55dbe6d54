import { useLayoutEffect, useState } from 'preact/hooks';

/**
 * Returns the token of a one-time link; empty without one. The token is in the fragment, which reaches no log and no other site. It
 * is removed from the address bar before anything is shown, so that nobody copies it.
 */
export function useLinkToken(): string {
  const [token, setToken] = useState(tokenInAddress);
  useLayoutEffect(() => {
    // A link that is pasted into the tab differs only in its fragment, so the browser does not reload the page.
    const take = () => {
      const given = tokenInAddress();
      if (given === '') return;
      history.replaceState(history.state, '', location.pathname);
      setToken(given);
    };
    take();
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  return token;
}

function tokenInAddress(): string {
  return new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
}
