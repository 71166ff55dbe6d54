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

/** Text fields of an app, in the order of the form; scopes have a control of their own. */
export const APP_FIELDS = ['client_id', 'client_secret', 'app_id', 'app_link', 'private_key'] as const;

/** Values of a form by the path that the service names in a fault. */
export type AppValues = Readonly<Record<string, string>>;

const CONFIG = 'integration_config.';

type Described = Readonly<
  Record<string, Omit<Field, 'path'> & { readonly hidden?: boolean; readonly automated?: boolean; readonly order?: number }>
>;

/** The fields of `integration_config` that a person fills in. Their path says `params`, as everywhere in generated forms. */
export function configFields(provider: Provider): readonly Field[] {
  const described = (provider['integration_config'] ?? {}) as Described;
  return Object.entries(described)
    .filter(([, { hidden, automated }]) => hidden !== true && automated !== true)
    .sort(([, one], [, other]) => (one.order ?? 0) - (other.order ?? 0))
    .map(([name, field]) => ({ ...field, path: ['params', name] as const }));
}

/** As the generated fields know them. */
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
      // What is secret is shown as stars: typing replaces it.
      return [configKey(field), field.secret ? '' : value];
    }),
  );
}

/** Names of the secrets that are set already. */
export function keptConfig(fields: readonly Field[], stored: Readonly<Record<string, string>> = {}): readonly string[] {
  return fields.flatMap(({ secret, path: [, name] }) => (secret && stored[name] ? [name] : []));
}

/** @param isNew secrets that are set may stay */
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

/** What has been filled in, or changed. An empty text removes a setting that was there. */
export function changedConfig(fields: readonly Field[], values: AppValues, before: AppValues): Readonly<Record<string, string>> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const { value } = tidy(field, values[configKey(field)] ?? '');
      return value === (before[configKey(field)] ?? '') ? [] : [[field.path[1], value]];
    }),
  );
}

/** Nobody can sign in at these without an app; the service would take the shared one, if there is one. */
const NEED_CLIENT: readonly string[] = ['OAUTH1', 'OAUTH2'];

export function needsClient(provider: Provider): boolean {
  return NEED_CLIENT.includes(provider.auth_mode) && provider['sandbox'] !== true;
}

/** Of the interface: what can stand in a path and in a header. */
const UNIQUE_KEY = /^[a-zA-Z0-9~:.@ _-]{1,255}$/;

export function nameFaults(values: AppValues): AppValues {
  return {
    ...((values['display_name'] ?? '').trim() === '' && { display_name: t('name_missing') }),
    ...(!UNIQUE_KEY.test(values['unique_key'] ?? '') && { unique_key: t('id_wrong') }),
  };
}

/** What the service would keep, whatever is sent, cannot be emptied. */
export function removedApp(values: AppValues, before: AppValues): AppValues {
  const removed = APP_FIELDS.map((name) => `credentials.${name}`).filter(
    (key) => (before[key] ?? '') !== '' && (values[key] ?? '').trim() === '',
  );
  return Object.fromEntries(removed.map((key) => [key, t('not_removed')]));
}

/** The service knows which ID is taken. */
export function takenKey({ code }: ApiError, values: AppValues): AppValues {
  return code === 'conflict' ? { unique_key: t('id_taken', { id: values['unique_key'] ?? '' }) } : {};
}

/** Members of `credentials` that differ from what they were; empty ones stay as they are, but for scopes. */
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
