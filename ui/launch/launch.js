// Runs in the window that opens in the click itself, while the first window begins the flow: leads on to the provider once
// there is one.

const ASK_EVERY_MS = 400;
const GIVE_UP_MS = 60_000;
const SLOW_MS = 10_000;
/** Seconds to wait after too many requests, if the response does not say for how long. */
const BUSY_SECONDS = 2;

/** The texts, in the language that the server has chosen. */
const texts = document.querySelector('main').dataset;
const text = document.getElementById('text');
const launchId = location.hash.slice(1);
// The ID stays out of the history, and a reload cannot launch anything.
history.replaceState(null, '', location.pathname);

const slow = setTimeout(() => {
  text.textContent = texts.slow;
}, SLOW_MS);

/** Asks the service what to do next, and after how many seconds; undefined if it did not respond, which may pass. */
async function ask() {
  try {
    const response = await fetch('launch', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ launch_id: launchId }),
    });
    if (response.ok) return (await response.json()).data;
    // Retry-After may be a date (RFC 9110 §10.2.3).
    if (response.status === 429)
      return { state: 'waiting', seconds: Number(response.headers.get('retry-after')) || BUSY_SECONDS };
    return response.status < 500 ? { state: 'ended' } : undefined;
  } catch {
    return undefined;
  }
}

function isPage(address) {
  return ['https:', 'http:'].includes(URL.parse(address)?.protocol);
}

/**
 * Returns whether this page is in place of the one where the flow began, which goes on by itself: that page has left the flow's
 * ID.
 */
function isInPlace() {
  try {
    return sessionStorage.getItem('svc-connect-flow') !== null;
  } catch {
    return false;
  }
}

function end() {
  if (isInPlace()) return location.replace('l');
  clearTimeout(slow);
  document.title = texts.overTitle;
  document.querySelector('.spinner').remove();
  const title = document.getElementById('title');
  title.textContent = texts.over;
  text.textContent = texts.overLead;
  const close = document.getElementById('close');
  close.hidden = false;
  close.addEventListener('click', () => window.close());
  title.focus();
  setTimeout(() => window.close(), 300);
}

async function launch() {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (performance.now() < giveUpAt) {
    const next = await ask();
    if (next?.state === 'ready' && isPage(next.location)) {
      // The provider's page must not lead the first window elsewhere; that window cannot show and close this one any more either.
      window.opener = null;
      return location.replace(next.location);
    }
    if (next !== undefined && next.state !== 'waiting') break;
    const waitMs = next?.seconds === undefined ? ASK_EVERY_MS : next.seconds * 1_000;
    await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, giveUpAt - performance.now())));
  }
  end();
}

await launch();
