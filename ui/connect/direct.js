// Connecting with details that people have, without a visit to the provider: what is asked for, and where it goes.

import { FORMS } from './forms.js';

const REFUSALS = {
  connection_test_failed: '{name} didn’t accept these details. Check them and try again.',
  provider_unavailable: 'We couldn’t reach {name}. Check the address, or try again in a moment.',
  unknown_connect_session_token: 'This window has expired. Ask for a new link.',
  too_many_request: 'Too many attempts. Wait a minute.',
  integration_not_allowed: '{name} isn’t available right now.',
  unknown_provider_config: '{name} isn’t available right now.',
  unknown_connection: '{name} isn’t available right now.',
  missing_client_id: '{name} isn’t available right now.',
};

/** How a provider is connected directly; undefined for one that asks its user itself. */
export function directForm({ auth_mode: mode, credentials = {} }) {
  const form = Object.hasOwn(FORMS, mode) ? FORMS[mode] : undefined;
  if (form === undefined) return undefined;
  // A definition says more about the fields of its mode; it adds none, unless the mode leaves them to it.
  const asked = form.hasDeclaredFields ? credentials : form.fields;
  const fields = Object.entries(asked).map(([name, field]) => [name, { ...field, ...credentials[name] }]);
  return { ...form, fields: Object.fromEntries(fields) };
}

/**
 * @param values name and value of what was filled in
 * @returns what people read when it did not work; undefined: connected
 */
export async function connectDirectly({ path, fields, empty }, { integration, query, values }) {
  const { display_name: name, unique_key: key } = integration;
  const defaults = Object.entries(fields).flatMap(([field, { default_value: value }]) =>
    value === undefined ? [] : [[field, value]],
  );
  const body = { ...empty, ...Object.fromEntries([...defaults, ...values]) };
  const hasBody = Object.keys(fields).length > 0;
  try {
    const response = await fetch(`../${path}/${encodeURIComponent(key)}?${new URLSearchParams(query)}`, {
      method: 'POST',
      ...(hasBody && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    return response.ok ? undefined : describe((await response.json()).error, name);
  } catch {
    return navigator.onLine ? 'Something went wrong on our side. Try again in a moment.' : 'You’re offline.';
  }
}

function describe({ code, errors = [] }, name) {
  const faults = errors.filter((fault) => fault.code !== 'unrecognized_key').map(({ message }) => message);
  if (faults.length > 0) return faults.join(' ');
  return (REFUSALS[code] ?? 'Something went wrong on our side. Try again in a moment.').replace('{name}', () => name);
}
