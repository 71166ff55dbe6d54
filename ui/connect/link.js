// The page behind a connect link: shows what may be connected, and leaves, in this tab, for the provider where that asks its
// user itself.
import { connectDirectly, directForm } from './direct.js';
import { element } from './element.js';
import { createFields } from './fields.js';

const KEPT = 'svc-connect-token';

const heading = document.querySelector('h1');
const audience = document.querySelector('#audience');
const status = document.querySelector('#status');
const choices = document.querySelector('#choices');
const setUp = document.querySelector('#set-up');

const TITLE = heading.textContent;

/** The visit that the page shows: what still loads for an earlier one, even of the same link, must not write into it. */
let current;

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

/** Only its own: another link may have been opened in this tab meanwhile. */
function forget(token) {
  if (sessionStorage.getItem(KEPT) === token) sessionStorage.removeItem(KEPT);
}

async function read(path, token) {
  const response = await ask(path, token);
  if (response.status === 401) {
    forget(token);
    throw new Failure('This window has expired. Ask for a new link. If you have connected already, you can close this tab.');
  }
  if (response.status === 429) throw new Failure('Too many attempts. Wait a minute, then open the link again.');
  if (!response.ok) throw new Failure('Something went wrong on our side. Try again in a moment.');
  return (await response.json()).data;
}

async function ask(path, token) {
  try {
    return await fetch(path, { headers: { authorization: `Bearer ${encodeURIComponent(token)}` } });
  } catch {
    throw new Failure(navigator.onLine ? 'Something went wrong on our side. Try again in a moment.' : 'You’re offline.');
  }
}

function choice({ integration, fields, way, guide, token, verb }) {
  const name = integration.display_name;
  const credentials = createFields(way?.fields);
  const form = element(
    'form',
    { noValidate: true },
    element('h2', {}, element('img', { src: integration.logo, alt: '', width: 24, height: 24 }), name),
    ...fields.nodes,
    ...credentials.nodes,
    element('p', { className: 'fault', attributes: { role: 'alert' } }),
    element('button', {}, `${verb} ${name}`),
    ...(guide === undefined ? [] : [guideLink(guide)]),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    // The upper fields last, so that the first fault of all has the focus.
    const isWell = [credentials.check(), fields.check()].every(Boolean);
    if (!isWell) return;
    const params = fields.values().map(([field, value]) => [`params[${field}]`, value]);
    const query = [['connect_session_token', token], ...params];
    if (way === undefined) leave(integration, query);
    else void send(form, way, { integration, query, token, values: credentials.values() });
  });
  return form;
}

async function send(form, way, request) {
  const name = request.integration.display_name;
  const button = form.querySelector('button');
  const fault = form.querySelector('[role=alert]');
  status.textContent = `Checking your details with ${name}…`;
  fault.textContent = '';
  button.disabled = true;
  const refusal = await connectDirectly(way, request);
  // The page may belong to another link by now.
  if (!form.isConnected) return;
  button.disabled = false;
  if (refusal === undefined) return showConnected(request);
  status.textContent = '';
  fault.textContent = refusal;
  (form.querySelector('input[type=password]') ?? button).focus();
}

/** The session has ended with its success, and what was typed goes with the page's forms. */
function showConnected({ integration, token }) {
  forget(token);
  choices.replaceChildren();
  heading.textContent = 'Connected';
  status.textContent = `Your ${integration.display_name} account is connected. You can close this tab.`;
}

/** In a tab of its own, so that what was typed stays. */
function guideLink(href) {
  return element('a', { href, target: '_blank', rel: 'noopener noreferrer' }, 'Need help?');
}

/** By hand: the `form-action` of the page's policy would hold for the redirect to the provider, too (CSP Level 3 §6.4.1). */
function leave({ display_name: name, unique_key: key }, query) {
  status.textContent = `Opening ${name}…`;
  location.assign(`../oauth/connect/${encodeURIComponent(key)}?${new URLSearchParams(query)}`);
}

function validity(session) {
  const until = new Date(session.expires_at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return `Valid until ${until}.`;
}

/** A link works for whoever opens it, so the page says whose account is meant. */
function showAudience({ endUser }) {
  const { display_name: name, email } = endUser ?? {};
  const who = name && email ? `${name} (${email})` : name || email;
  if (!who) return;
  // Isolated: a name's direction must not rearrange the words around it.
  audience.replaceChildren('You are connecting an account for ', element('bdi', {}, who), '. Not you? Close this page.');
}

/** For whoever sets an integration up; a production environment does not say it. */
function showSetUp({ callback_url: url }) {
  if (url !== undefined) setUp.replaceChildren('Test environment. Callback URL to register: ', element('code', {}, url));
}

/** A connection that is authorized again keeps its configuration, which the browser does not know: it must not overwrite any. */
function fieldsOf(session, integration, provider) {
  if (session.isReconnecting) return createFields();
  const presets = session.integrations_config_defaults?.[integration.unique_key]?.connection_config;
  return createFields(provider.connection_config, presets);
}

async function show(visit) {
  const { token } = visit;
  const session = await read('session', token);
  const [integrations, list] = await Promise.all([read('../integrations', token), read('../providers', token)]);
  if (visit !== current) return;
  showAudience(session);
  showSetUp(session);
  const providers = new Map(list.map((provider) => [provider.name, provider]));
  const verb = session.isReconnecting ? 'Reconnect' : 'Connect';
  for (const integration of integrations) {
    const provider = providers.get(integration.provider);
    if (provider === undefined) continue;
    const guide = session.overrides?.[integration.unique_key]?.docs_connect;
    const fields = fieldsOf(session, integration, provider);
    choices.append(choice({ integration, fields, way: directForm(provider), guide, token, verb }));
  }
  status.textContent = choices.childElementCount === 0 ? 'There is nothing to connect yet.' : validity(session);
}

function clear() {
  heading.textContent = TITLE;
  status.textContent = 'Loading…';
  audience.replaceChildren();
  setUp.replaceChildren();
  choices.replaceChildren();
}

async function start() {
  const visit = { token: takeToken() };
  current = visit;
  clear();
  if (visit.token === null) {
    status.textContent = 'Nothing to show. Open the link you were sent.';
    return;
  }
  try {
    await show(visit);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (visit === current) status.textContent = error.message;
  }
}

// A second link that is opened in this tab differs in its fragment only: the browser does not load the page again.
addEventListener('hashchange', () => void start());
await start();
