import type { ApiError } from '../../../kit/api-error.ts';
import { textOfFault } from '../../../kit/fields/field-texts.ts';
import { initialValues, keyOf } from '../../../kit/fields/form.ts';
import { faultIn } from '../../../kit/fields/form-rules.ts';
import { tidy } from '../../../kit/fields/tidy.ts';
import type { Field } from '../../../kit/wire.ts';
import type { Reply } from '../../app/replies.ts';
import { fieldText } from '../../app/texts/fields.ts';
import { t } from './texts.ts';

export type Provider = Reply<'getProvider'>['data'];
export type Setup = Reply<'getProviderSetup'>['data'];

/** Text fields of an app, in the order of the form. Scopes are not among them, since they have a separate control. */
export const APP_FIELDS = ['client_id', 'client_secret', 'app_id', 'app_link', 'private_key'] as const;

/** Returns the members of `credentials` that an app of this provider seldom has: it signs nothing, unless its definition says so. */
export function rareMembers(provider: Provider, { app }: Pick<Setup, 'app'>): readonly string[] {
  const signs = provider['token_request_auth_method'] === 'private_key_jwt' || !app.includes('client_secret');
  return signs ? [] : app.filter((name) => name === 'private_key');
}

/** Values of a form by the path that the service uses for them in faults. */
export type AppValues = Readonly<Record<string, string>>;

const CONFIG = 'integration_config.';

type Described = Readonly<
  Record<string, Omit<Field, 'path'> & { readonly hidden?: boolean; readonly automated?: boolean; readonly order?: number }>
>;

/** Returns the fields of `integration_config` for users to fill in. Their path begins with `params`, as in all generated forms. */
export function configFields(provider: Provider): readonly Field[] {
  const described = (provider['integration_config'] ?? {}) as Described;
  return Object.entries(described)
    .filter(([, { hidden, automated }]) => hidden !== true && automated !== true)
    .sort(([, one], [, other]) => (one.order ?? 0) - (other.order ?? 0))
    .map(([name, field]) => ({ ...field, path: ['params', name] as const }));
}

/** Returns the values by `keyOf` of the field, as generated forms expect them. */
export function fieldValues(fields: readonly Field[], values: AppValues): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [keyOf(field.path), values[configKey(field)] ?? '']));
}

export function configKey({ path: [, name] }: Field): string {
  return `${CONFIG}${name}`;
}

export function initialConfig(fields: readonly Field[], stored: Readonly<Record<string, string>> = {}): AppValues {
  const defaults = initialValues(fields);
  return Object.fromEntries(
    fields.map((field) => {
      const value = stored[field.path[1]] ?? defaults[keyOf(field.path)] ?? '';
      // The service sends a mask instead of a secret, so the field stays empty: typing replaces the secret.
      return [configKey(field), field.secret ? '' : value];
    }),
  );
}

/** Returns the names of the secrets that are set already. */
export function keptConfig(fields: readonly Field[], stored: Readonly<Record<string, string>> = {}): readonly string[] {
  return fields.flatMap(({ secret, path: [, name] }) => (secret && stored[name] ? [name] : []));
}

/** Returns error texts by field. @param isNew false when secrets may be left empty, since those that are set are kept */
export function configFaults(fields: readonly Field[], values: AppValues, isNew: boolean): Readonly<Record<string, string>> {
  const own = fieldValues(fields, values);
  return Object.fromEntries(
    fields.flatMap((field) => {
      const fault = faultIn(field, own);
      if (fault === undefined || (!isNew && field.secret && fault.code === 'required')) return [];
      return [[configKey(field), textOfFault(field, fault, fieldText)]];
    }),
  );
}

/** Returns the settings that were filled in or changed. An empty text removes an existing setting. */
export function changedConfig(fields: readonly Field[], values: AppValues, before: AppValues): Readonly<Record<string, string>> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const { value } = tidy(field, values[configKey(field)] ?? '');
      return value === (before[configKey(field)] ?? '') ? [] : [[field.path[1], value]];
    }),
  );
}

/** Modes whose sign-in needs an app. Without one the service would use the shared app, if there is one. */
const NEED_CLIENT: readonly string[] = ['OAUTH1', 'OAUTH2'];

export function needsClient(provider: Provider): boolean {
  return NEED_CLIENT.includes(provider.auth_mode) && provider['sandbox'] !== true;
}

/** The API's pattern of an integration's `unique_key`: characters that may occur in a path and in a header. */
const UNIQUE_KEY = /^[a-zA-Z0-9~:.@ _-]{1,255}$/;

export function nameFaults(values: AppValues): AppValues {
  return {
    ...((values['display_name'] ?? '').trim() === '' && { display_name: t('name_missing') }),
    ...(!UNIQUE_KEY.test(values['unique_key'] ?? '') && { unique_key: t('id_wrong') }),
  };
}

/** Returns error texts for emptied fields of the app: the service would keep their values, so they cannot be removed. */
export function removedApp(values: AppValues, before: AppValues): AppValues {
  const removed = APP_FIELDS.map((name) => `credentials.${name}`).filter(
    (key) => (before[key] ?? '') !== '' && (values[key] ?? '').trim() === '',
  );
  return Object.fromEntries(removed.map((key) => [key, t('not_removed')]));
}

/** Returns the error text for an ID that is already taken, which only the service can find out. */
export function takenKey({ code }: ApiError, values: AppValues): AppValues {
  return code === 'conflict' ? { unique_key: t('id_taken', { id: values['unique_key'] ?? '' }) } : {};
}

/** Returns the changed properties of `credentials`. Empty ones count as unchanged, except for scopes. */
export function changedApp(members: readonly string[], values: AppValues, before: AppValues): Readonly<Record<string, string>> {
  return Object.fromEntries(
    members.flatMap((name) => {
      const key = `credentials.${name}`;
      const value = (values[key] ?? '').trim();
      const isSame = value === (before[key] ?? '') || (value === '' && name !== 'scopes');
      return isSame ? [] : [[name, value]];
    }),
  );
}
