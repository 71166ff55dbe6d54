import type { CredentialForm } from '../../auth-modes/auth-mode.ts';
import { modeNamed } from '../../auth-modes/index.ts';
import type { Plugins } from '../../catalogue/plugins/plugins.ts';
import { ServiceError } from '../../errors.ts';
import { readConfiguration } from './configuration.ts';
import { checkDetails, type EnteredDetails } from './direct.ts';
import type { FieldError } from './flow-outcome.ts';
import type { AuthorizationTarget } from './target.ts';
import { type UiErrorCode, uiErrorCode } from './ui-errors.ts';

type Texts = Readonly<Record<string, string>>;

/** The values that a user entered in the forms of a user interface. */
interface EnteredValues {
  readonly params: Texts;
  readonly credentials: Texts;
}

/** The reason why values that the user entered, or the backend fixed, cannot be used. */
export interface FormFault {
  readonly code: UiErrorCode;
  readonly fields: readonly FieldError[];
  readonly cause: ServiceError;
}

type Checked<T> = { readonly accepted: T } | { readonly fault: FormFault };

/** Checks the connection configuration of a flow that leads to the provider's page. */
export function checkParams(target: AuthorizationTarget, params: Texts): Checked<Pick<EnteredDetails, 'added'>> {
  const { session, integration, provider, known } = target;
  return checked(target, () => readConfiguration({ session, uniqueKey: integration.uniqueKey, params, provider, known }));
}

/**
 * Checks the values entered in a mode's form. Both configuration and credentials are checked, so that all faults are shown at once.
 */
export function checkForms(
  deps: { readonly plugins: Plugins },
  target: AuthorizationTarget,
  { params, credentials }: EnteredValues,
): Checked<EnteredDetails> {
  const { auth_mode: mode, credentials: fields = {} } = target.provider.definition;
  const { form } = modeNamed(mode);
  if (form === undefined) throw new ServiceError('invalid_auth_mode', `connections by ${mode} have no form`);
  const defaults = Object.entries(fields).flatMap(([name, { default_value: value }]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const members = form.members.safeParse({ ...form.empty, ...Object.fromEntries(defaults), ...credentials });
  if (members.success)
    return checked(target, () => checkDetails(deps, target, { params, credentials: { mode, form, members: members.data } }));
  const ofCredentials = members.error.issues.flatMap(fieldErrors);
  const ofParams = checkParams(target, withConfiguration(form, params, credentials));
  if ('accepted' in ofParams || ofParams.fault.code === 'field_invalid') {
    const fields = [...('fault' in ofParams ? ofParams.fault.fields : []), ...ofCredentials];
    return {
      fault: { code: 'field_invalid', fields, cause: new ServiceError('invalid_body', 'some of the entered fields are invalid') },
    };
  }
  return ofParams;
}

function withConfiguration({ configuration = [] }: CredentialForm, params: Texts, credentials: Texts): Texts {
  const names = configuration.filter((name) => credentials[name] !== undefined);
  return { ...params, ...Object.fromEntries(names.map((name) => [name, credentials[name] ?? ''])) };
}

/** Converts an item of zod's `error.issues` to field errors. */
function fieldErrors(issue: {
  readonly code?: string;
  readonly message: string;
  readonly path: readonly PropertyKey[];
  readonly keys?: readonly string[];
  readonly input?: unknown;
}): FieldError[] {
  const { message, path, keys } = issue;
  if (keys !== undefined)
    return keys.map((name) => ({ path: ['credentials', name], code: 'unrecognized_key', message: 'there is no such field' }));
  const isMissing = issue.code === 'too_small' || (issue.code === 'invalid_type' && issue.input === undefined);
  const known = issue.code === 'too_big' || issue.code === 'invalid_format' ? issue.code : 'invalid_value';
  return [{ path: ['credentials', String(path[0] ?? '')], code: isMissing ? 'required' : known, message }];
}

function checked<T>(target: AuthorizationTarget, check: () => T): Checked<T> {
  try {
    return { accepted: check() };
  } catch (cause) {
    if (cause instanceof ServiceError) return { fault: faultOf(target, cause) };
    throw cause;
  }
}

function faultOf(target: AuthorizationTarget, cause: ServiceError): FormFault {
  const fields = cause.details.map(({ code, message, path }): FieldError => {
    const [first = '', second] = path;
    return first === 'params'
      ? { path: ['params', second ?? ''], code, message }
      : { path: ['credentials', first], code, message };
  });
  if (fields.length === 0) return { code: uiErrorCode(cause), fields: [], cause };
  // The user who fills in the form neither sees these values nor can change them.
  const isPreset = fields.some(
    ({ path: [form, name], code }) => form === 'params' && code !== 'unrecognized_key' && !isAsked(target, name),
  );
  return isPreset ? { code: 'preset_invalid', fields: [], cause } : { code: 'field_invalid', fields, cause };
}

function isAsked({ session, integration, provider, known }: AuthorizationTarget, name: string): boolean {
  const field = provider.definition.connection_config?.[name];
  const isPreset = Object.hasOwn(session.defaults[integration.uniqueKey] ?? {}, name);
  return known === undefined && !isPreset && field?.hidden !== true && field?.automated !== true;
}
