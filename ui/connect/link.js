// The page behind a connect link: shows what may be connected and leaves, in this tab, for the provider.
const KEPT = 'svc-connect-token';

const status = document.querySelector('#status');
const choices = document.querySelector('#choices');

/** The token comes in the fragment, which no server sees; it is taken out of the address bar at once. */
function takeToken() {
  const token = location.hash.slice(1);
  if (token !== '') {
    sessionStorage.setItem(KEPT, token);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(KEPT);
}

async function read(path, token) {
  const answer = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
  if (answer.status === 401) {
    sessionStorage.removeItem(KEPT);
    throw new Error('This window has expired. Ask for a new link.');
  }
  if (!answer.ok) throw new Error('Something went wrong on our side. Try again in a moment.');
  return (await answer.json()).data;
}

function element(name, properties = {}, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

function input(name, field) {
  const id = `params[${name}]`;
  if (field.enum !== undefined) {
    const options = field.enum.map((value) => element('option', { value, selected: value === field.default_value }, value));
    return element('select', { name: id }, ...options);
  }
  return element('input', {
    name: id,
    type: field.secret ? 'password' : 'text',
    placeholder: field.example ?? '',
    value: field.default_value ?? '',
    required: field.optional !== true,
    autocomplete: 'off',
  });
}

function fieldsOf(provider, presets) {
  return Object.entries(provider.connection_config ?? {})
    .filter(([name, field]) => !field.hidden && !field.automated && !presets.includes(name))
    .sort(([, one], [, other]) => (one.order ?? 0) - (other.order ?? 0))
    .map(([name, field]) => element('label', {}, field.title, input(name, field), element('small', {}, field.description ?? '')));
}

function choice({ integration, provider, presets, token }) {
  const form = element(
    'form',
    { method: 'get', action: `../oauth/connect/${encodeURIComponent(integration.unique_key)}` },
    element('h2', {}, element('img', { src: integration.logo, alt: '', width: 24, height: 24 }), integration.display_name),
    ...fieldsOf(provider, presets),
    element('input', { type: 'hidden', name: 'connect_session_token', value: token }),
    element('button', {}, `Connect ${integration.display_name}`),
  );
  form.addEventListener('formdata', ({ formData }) => {
    for (const [name, value] of [...formData]) if (value === '') formData.delete(name);
  });
  return form;
}

async function show(token) {
  const session = await read('session', token);
  const integrations = await read('../integrations', token);
  const providers = new Map((await read('../providers', token)).map((provider) => [provider.name, provider]));
  const who = session.end_user_email ?? session.end_user_display_name;
  const until = new Date(session.expires_at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  status.textContent = `${who === undefined ? '' : `Sent for ${who}. `}Valid until ${until}.`;
  if (integrations.length === 0) status.textContent = 'There is nothing to connect yet.';
  for (const integration of integrations) {
    const presets = session.integrations_config_defaults[integration.unique_key]?.connection_config ?? [];
    const provider = providers.get(integration.provider);
    if (provider !== undefined) choices.append(choice({ integration, provider, presets, token }));
  }
}

const token = takeToken();
if (token === null) status.textContent = 'Nothing to show. Open the link you were sent.';
else
  show(token).catch((error) => {
    status.textContent = error.message;
  });
