const svc = new Svc(); // from the script /sdk/v1.js, which has the URL of the service
const POLL_MS = 2_000;

document.querySelector('#connect').onclick = () => {
  const sessionToken = async () => (await call('api/connect-session', { method: 'POST' })).token;
  svc.openConnectUI({ sessionToken, onEvent: ({ type }) => type === 'connect' && showAccount() });
};

async function showAccount() {
  const { connections, webhooks } = await call('api/account');
  const shown = new Set([...document.querySelectorAll('#connections li')].map(({ id }) => id));
  if (connections.length !== shown.size || connections.some(({ connection_id: id }) => !shown.has(id)))
    fill('#connections', connections.map(connectionItem));
  fill(
    '#webhooks',
    webhooks.map(({ type, ...rest }) => item(`${type}: ${rest.operation ?? rest.from}`, rest.connectionId)),
  );
}

function connectionItem({ connection_id: id, provider_config_key: integration }) {
  const button = document.createElement('button');
  button.textContent = 'Read notes';
  button.onclick = async () => {
    const notes = await call(`api/notes?${new URLSearchParams({ connection: id })}`);
    fill(
      '#notes',
      notes.map(({ text }) => item(text)),
    );
  };
  const line = item(integration, id, button);
  line.id = id;
  return line;
}

function item(...parts) {
  const line = document.createElement('li');
  line.append(...parts.filter(Boolean).flatMap((part) => [part, ' ']));
  return line;
}

function fill(list, items) {
  document.querySelector(list).replaceChildren(...items);
}

async function call(path, init) {
  const response = await fetch(path, init);
  document.querySelector('#status').textContent = response.ok ? '' : `That failed (${response.status}).`;
  return response.json();
}

setInterval(showAccount, POLL_MS);
showAccount();
