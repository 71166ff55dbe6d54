import type { FieldFault } from './fields.ts';
import type { FormField } from './form-field.ts';

/**
 * Fields of `integration_config` for every provider, in addition to those of its definition. A definition may redeclare one of
 * them to show it in the provider's form, but not change its meaning.
 */
export const COMMON_SETTINGS = {
  own_callback: {
    type: 'string',
    title: 'Own callback URL',
    description: 'true: the redirect URI is the callback URL followed by / and the integration ID.',
    enum: ['true', 'false'],
    optional: true,
  },
  issuer: {
    type: 'string',
    title: 'Issuer',
    description:
      'Issuer of the authorization server, from which missing URLs are read; otherwise the `iss` of authorization responses (RFC 9207).',
    example: 'https://auth.example.com',
    format: 'uri',
    optional: true,
  },
  allowed_hosts: {
    type: 'string',
    title: 'Further hosts',
    description: 'Hosts that proxied calls may name as their base URL, separated by commas.',
    example: 'files.example.com,eu.example.com:8443',
    optional: true,
  },
  revoked_codes: {
    type: 'string',
    title: 'Codes of revoked grants',
    description:
      'Error codes of the token endpoint that, like invalid_grant, require the user to reauthorize; separated by commas.',
    example: 'token_revoked,account_closed',
    optional: true,
  },
  verify: {
    type: 'string',
    title: 'Verification',
    description: 'What happens when credentials cannot be verified: required (default) rejects them, warn and off do not.',
    enum: ['required', 'warn', 'off'],
    optional: true,
  },
} as const satisfies Readonly<Record<string, FormField>>;

/** Settings whose value is a list, with the form of one entry. */
const LISTS: Readonly<Record<string, { readonly isEntry: (entry: string) => boolean; readonly form: string }>> = {
  allowed_hosts: { isEntry: isHost, form: 'a host or host:port, such as files.example.com:8443, without https:// and path' },
  revoked_codes: {
    isEntry: (entry) => /^[A-Za-z0-9_.:-]{1,64}$/.test(entry),
    form: 'a code of up to 64 letters, digits and the characters _ . : -',
  },
};

/**
 * Returns the entries of a setting that is a comma-separated list, e.g. `allowed_hosts`, without the blanks around each entry.
 */
export function splitList(value: unknown): readonly string[] {
  if (typeof value !== 'string') return [];
  const entries = value.split(',').map((entry) => entry.trim());
  return entries.filter((entry) => entry !== '');
}

/** Checks the entries of list settings and returns at most one fault for each list. The messages never repeat a value. */
export function checkListSettings(values: Readonly<Record<string, unknown>>): FieldFault[] {
  return Object.entries(LISTS).flatMap(([name, { isEntry, form }]): FieldFault[] => {
    const wrong = splitList(values[name]).findIndex((entry) => !isEntry(entry));
    if (wrong === -1) return [];
    return [{ code: 'invalid_format', message: `entry ${wrong + 1} of ${name} must be ${form}`, path: [name] }];
  });
}

/**
 * Returns whether an entry is a host, with or without a port, in canonical spelling except for letter case. Calls are compared
 * with it as text, so one that the URL parser would turn into another host would never match.
 */
function isHost(entry: string): boolean {
  const [, host] = /^([a-z0-9.-]+)(?::\d{1,5})?$/i.exec(entry) ?? [];
  return host !== undefined && URL.parse(`https://${entry}/`)?.hostname === host.toLowerCase();
}
