// The page behind a connect link: shows what may be connected and leaves, in this tab, for the provider.
import { element } from './element.js';
import { createFields } from './fields.js';

const KEPT = 'svc-connect-token';

const status = document.querySelector('#status');
const choices = document.querySelector('#choices');

/** What the person reads when something fails. */
class Failure extends Error {}

/**
 * The token comes in the fragment, which no server sees; it is taken out of the address bar at once. It outlives the way to the
 * provider and back, in this tab only.
 */
function takeToken() {
  const token = location.hash.slice(1);
  if (token !== '') {
    sessionStorage.setItem(KEPT, token);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(KEPT);
}

async function read(path, token) {
  const answer = await ask(path, token);
  if (answer.status === 401) {
    sessionStorage.removeItem(KEPT);
    throw new Failure('This window has expired. Ask for a new link. If you have connected already, you can close this tab.');
  }
  if (answer.status === 429) throw new Failure('Too many attempts. Wait a minute, then open the link again.');
  if (!answer.ok) throw new Failure('Something went wrong on our side. Try again in a moment.');
  return (await answer.json()).data;
}

async function ask(path, token) {
  try {
    return await fetch(path, { headers: { authorization: `Bearer ${encodeURIComponent(token)}` } });
  } catch {
    throw new Failure(navigator.onLine ? 'Something went wrong on our side. Try again in a moment.' : 'You’re offline.');
  }
}

function choice({ integration, fields, token, verb }) {
  const name = integration.display_name;
  const form = element(
    'form',
    { noValidate: true },
    element('h2', {}, element('img', { src: integration.logo, alt: '', width: 24, height: 24 }), name),
    ...fields.nodes,
    element('button', {}, `${verb} ${name}`),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!fields.check()) return;
    status.textContent = `Opening ${name}…`;
    leave(integration.unique_key, [
      ['connect_session_token', token],
      ...fields.values().map(([field, value]) => [`params[${field}]`, value]),
    ]);
  });
  return form;
}

/** By hand: the `form-action` of the page's policy would hold for the redirect to the provider, too (CSP Level 3 §6.4.1). */
function leave(uniqueKey, query) {
  location.assign(`../oauth/connect/${encodeURIComponent(uniqueKey)}?${new URLSearchParams(query)}`);
}

function describe(session) {
  const who = session.end_user_email ?? session.end_user_display_name;
  const until = new Date(session.expires_at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return `${who === undefined ? '' : `Sent for ${who}. `}Valid until ${until}.`;
}

/** A connection that is authorized again keeps its configuration, which the browser does not know: it must not overwrite any. */
function fieldsOf(session, integration, provider) {
  if (session.isReconnecting) return createFields();
  const presets = session.integrations_config_defaults[integration.unique_key]?.connection_config;
  return createFields(provider.connection_config, presets);
}

async function show(token) {
  const session = await read('session', token);
  const [integrations, list] = await Promise.all([read('../integrations', token), read('../providers', token)]);
  const providers = new Map(list.map((provider) => [provider.name, provider]));
  const verb = session.isReconnecting ? 'Reconnect' : 'Connect';
  for (const integration of integrations) {
    const provider = providers.get(integration.provider);
    if (provider === undefined) continue;
    choices.append(choice({ integration, fields: fieldsOf(session, integration, provider), token, verb }));
  }
  status.textContent = choices.childElementCount === 0 ? 'There is nothing to connect yet.' : describe(session);
}

async function start() {
  const token = takeToken();
  if (token === null) {
    status.textContent = 'Nothing to show. Open the link you were sent.';
    return;
  }
  try {
    await show(token);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    status.textContent = error.message;
  }
}

await start();
