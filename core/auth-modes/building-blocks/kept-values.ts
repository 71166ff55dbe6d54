import { checkFields, ExactNumber, isObject, type JsonObject, valueAt } from '#contract';
import { type FlowEnd, ForeignResponse, type ModeInput, type StoredCredentials } from '../auth-mode.ts';

/** Maximum length of a string that becomes `connection_config`, in characters: long enough for a URL. */
const MAX_KEPT_LENGTH = 2048;

type Definition = Pick<ModeInput, 'definition'>;

/**
 * Returns the callback parameters that the definition keeps (`redirect_uri_metadata`). They may decide where a code and the app's
 * secret are sent, so a value that its declared field does not allow ends the flow.
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
 * Returns the fields of a token response that the definition keeps (`token_response_metadata`), each under its whole path, which is
 * the name that templates use. A value that its declared field does not allow is left out: the value known before stays.
 */
export function keptFields({ definition }: Definition, raw: Readonly<Record<string, unknown>>): JsonObject {
  const kept = (definition.token_response_metadata ?? []).flatMap((path) => {
    const value = valueAt(raw, path);
    return isKeepable(value) && isAdmitted({ definition }, path, value) ? [[path, value] as const] : [];
  });
  return Object.fromEntries(kept);
}

/**
 * Returns the changes that a refresh makes to the fields that the definition keeps. A stored value that the last response did not
 * have may have been set by the application, and stays.
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
  // Templates use only texts, so a number never decides a host.
  return field === undefined || typeof value !== 'string' || checkFields({ [name]: field }, { [name]: value }).length === 0;
}

type Kept = string | number | boolean;

function isSame(one: unknown, other: unknown): boolean {
  return one === other || (one instanceof ExactNumber && other instanceof ExactNumber && String(one) === String(other));
}

/**
 * Returns whether a value can be kept. Strings that `jsonb` cannot hold (PostgreSQL documentation, 8.14) and very long ones are
 * left out: they must not fail the authorization.
 */
function isKeepable(value: unknown): value is Kept {
  if (typeof value === 'string') return value.length <= MAX_KEPT_LENGTH && value.isWellFormed() && !value.includes('\0');
  if (value instanceof ExactNumber) return value.fitsPostgres;
  return typeof value === 'number' || typeof value === 'boolean';
}
