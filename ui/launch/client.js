// Runs on the page that ends a visit to the provider in a window that an existing frontend has opened. The messages hold no ID
// and no secret; the frontend learns the rest by its WebSocket.

const CLOSE_MS = 500;

const { prefix, origins, errorType, error } = document.getElementById('client').dataset;
const message =
  error === undefined
    ? { type: `${prefix}_oauth_callback_success` }
    : { type: `${prefix}_oauth_callback_error`, payload: { message: error, errorType } };
const targets = origins === '' ? ['*'] : origins.split(' ');

addEventListener('message', ({ source, origin, data }) => {
  if (source === null || source !== window.opener || !(targets[0] === '*' || targets.includes(origin))) return;
  if (data?.type === `${prefix}_oauth_callback_ack`) window.close();
});
for (const target of targets) window.opener?.postMessage(message, target);
const channel = new BroadcastChannel(`${prefix}-oauth-callback`);
channel.postMessage(message);

const button = document.getElementById('close');
button.hidden = false;
button.addEventListener('click', () => window.close());
if (error === undefined) setTimeout(() => window.close(), CLOSE_MS);
