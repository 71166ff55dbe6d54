import { checkFields, ExactNumber, isObject, type JsonObject, valueAt } from '#contract';
import { type FlowEnd, ForeignResponse, type ModeInput, type StoredCredentials } from '../auth-mode.ts';

/** Maximum length, in characters, of a string that is stored in the connection configuration: long enough for a URL. */
const MAX_KEPT_LENGTH = 2048;

type Definition = Pick<ModeInput, 'definition'>;

/**
 * Returns the callback parameters that the definition keeps (`redirect_uri_metadata`). They may decide where the code and the
 * app's secret are sent, so the flow fails if a value does not match the field's declaration.
 *
 * @throws ForeignResponse
 */
export function keptQuery({ definition }: Definition, query: FlowEnd['query']): JsonObject {
  const names = definition.redirect_uri_metadata ?? [];
  const kept = names.flatMap((name) => (isKeepable(query[name]) ? [[name, query[name]] as const] : []));
  const foreign = kept.find(([name, value]) => !isAdmitted({ definition }, name, value));
  if (foreign === undefined) return Object.fromEntries(kept);
  throw new ForeignResponse('refused', `the authorization response has a value of ${foreign[0]} that is not allowed`);
}

/**
 * Returns the fields of a token response that the definition keeps (`token_response_metadata`), named by their whole paths as in
 * templates. A value that does not match its field's declaration is left out, so a value stored earlier remains.
 */
export function keptFields({ definition }: Definition, raw: Readonly<Record<string, unknown>>): JsonObject {
  const kept = (definition.token_response_metadata ?? []).flatMap((path) => {
    const value = valueAt(raw, path);
    return isKeepable(value) && isAdmitted({ definition }, path, value) ? [[path, value] as const] : [];
  });
  return Object.fromEntries(kept);
}

/**
 * Returns the kept fields that a refresh has changed. A field is left out if its stored value did not come from the previous
 * response, since the application may have set it.
 */
export function renewedFields(
  input: Definition & Pick<ModeInput, 'connectionConfig'>,
  before: StoredCredentials,
  after: StoredCredentials,
): JsonObject {
  const [known, found] = [keptFields(input, rawOf(before)), keptFields(input, rawOf(after))];
  const isOurs = (name: string) =>
    !Object.hasOwn(input.connectionConfig, name) || isSame(input.connectionConfig[name], known[name]);
  return Object.fromEntries(Object.entries(found).filter(([name, value]) => !isSame(value, known[name]) && isOurs(name)));
}

function rawOf(stored: StoredCredentials): JsonObject {
  const raw = 'raw' in stored ? stored.raw : undefined;
  return isObject(raw) ? (raw as JsonObject) : {};
}

function isAdmitted({ definition: { connection_config: fields = {} } }: Definition, name: string, value: Kept): boolean {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  // Only texts are checked, since templates use no other values, so a number never decides a host.
  return field === undefined || typeof value !== 'string' || checkFields({ [name]: field }, { [name]: value }).length === 0;
}

type Kept = string | number | boolean;

function isSame(one: unknown, other: unknown): boolean {
  return one === other || (one instanceof ExactNumber && other instanceof ExactNumber && String(one) === String(other));
}

/**
 * Returns whether a value can be stored. Very long strings and strings that `jsonb` cannot hold (PostgreSQL documentation, 8.14)
 * are left out, so that they do not make the authorization fail.
 */
function isKeepable(value: unknown): value is Kept {
  if (typeof value === 'string') return value.length <= MAX_KEPT_LENGTH && value.isWellFormed() && !value.includes('\0');
  if (value instanceof ExactNumber) return value.fitsPostgres;
  return typeof value === 'number' || typeof value === 'boolean';
}
