const svc = new Svc(); // from the script /sdk/v1.js, which has the URL of the service
const POLL_MS = 2_000;
const STATES = { healthy: 'Works', degraded: 'Works, but its refresh fails', needs_reauth: 'Needs a new sign-in' };

const find = (selector) => document.querySelector(selector);
const timeOf = (date) => new Date(date).toLocaleTimeString();
let drawn = '';

find('#connect').onclick = () => {
  const sessionToken = async () => (await call('api/connect-session', { method: 'POST' })).token;
  svc.openConnectUI({ sessionToken, onEvent: ({ type }) => type === 'connect' && showAccount() });
};

async function showAccount() {
  const { connections, webhooks } = await call('api/account');
  const now = JSON.stringify([connections, webhooks]);
  if (now === drawn) return;
  const before = find('#connections').dataset.newest;
  const newest = connections[0]?.connection_id ?? '';
  drawn = now;
  find('#connections').dataset.newest = newest;
  find('#connect').textContent = newest ? 'Connect another account' : 'Connect an account';
  fill(
    '#connections',
    newest ? connections.map(connectionItem) : [text('li', 'None yet. Connect one, and its notes appear.', 'soft')],
  );
  showWebhook(webhooks[0]);
  if (newest === '') showNotes();
  else if (newest !== before) await readNotes(newest);
}

function connectionItem({ connection_id: id, integration, logo, state, account, refreshedAt }) {
  const image = Object.assign(new Image(28, 28), { src: logo, alt: '' });
  const facts = [account?.name, account?.email, refreshedAt && `token refreshed at ${timeOf(refreshedAt)}`];
  const who = twoLines(integration, facts.filter(Boolean).join(', '));
  const read = button('Read notes', () => readNotes(id));
  const disconnect = button('Disconnect', async () => {
    await call(`api/connection?${new URLSearchParams({ connection: id })}`, { method: 'DELETE' });
    await showAccount();
  });
  const item = text('li', '');
  item.append(image, who, text('span', STATES[state] ?? state, state === 'healthy' ? 'good' : 'bad'), read, disconnect);
  return item;
}

async function readNotes(id) {
  showNotes(await call(`api/notes?${new URLSearchParams({ connection: id })}`));
}

function showNotes(answer) {
  find('#notes small').textContent = answer ? `read at ${timeOf(Date.now())}` : '';
  if (answer === undefined) return fill('#notes div', [text('p', 'Notes of the account are read through the proxy.', 'soft')]);
  const { status, ms, body, error } = answer;
  const result = error ? `failed: ${error}` : `${status} in ${ms} ms`;
  const response = document.createElement('details');
  response.append(text('summary', 'Response'), text('pre', JSON.stringify(body, null, 2)));
  const list = text('ul', '');
  if (Array.isArray(body)) list.append(...body.map(noteItem));
  fill('#notes div', [text('code', `GET /proxy/notes  ${result}`), list, ...(error ? [] : [response])]);
}

function noteItem({ text: note, author }) {
  const item = text('li', '');
  item.append(twoLines(note, author));
  return item;
}

function showWebhook(last) {
  find('#webhook small').textContent = last ? timeOf(last.at) : '';
  if (last === undefined) return fill('#webhook div', [text('p', 'None yet. One arrives when an account is connected.', 'soft')]);
  if (!last.isSigned) return fill('#webhook div', [text('p', 'Refused: its signature is missing or wrong.', 'bad')]);
  fill('#webhook div', [text('p', 'The signature is valid.', 'good'), text('pre', JSON.stringify(last.webhook, null, 2))]);
}

function twoLines(first, second) {
  const lines = text('div', first);
  lines.append(text('small', second));
  return lines;
}

function text(name, content, className = '') {
  return Object.assign(document.createElement(name), { textContent: content, className });
}

function button(name, onclick) {
  return Object.assign(text('button', name), { type: 'button', onclick });
}

function fill(list, items) {
  find(list).replaceChildren(...items);
}

async function call(path, init) {
  const response = await fetch(path, init);
  find('#status').textContent = response.ok ? '' : `That failed (${response.status}).`;
  return response.json();
}

setInterval(showAccount, POLL_MS);
showAccount();
