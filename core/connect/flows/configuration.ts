import { checkFields, type FormField, type JsonObject } from '#contract';
import type { Provider } from '../../catalogue/catalogue.ts';
import type { ConnectSession } from '../../connections/connect-sessions/session.ts';
import type { Connection } from '../../connections/connection.ts';
import { ServiceError } from '../../errors.ts';

interface Given {
  readonly session: ConnectSession;
  readonly uniqueKey: string;
  readonly provider: Provider;
  /** The values entered by the user. */
  readonly params: Readonly<Record<string, string>>;
  /** The connection to reauthorize. */
  readonly known: Pick<Connection, 'connectionConfig'> | undefined;
}

interface Configuration {
  /** The values of this authorization. */
  readonly added: JsonObject;
  /** The values of this authorization, merged over the existing ones. */
  readonly whole: JsonObject;
}

/**
 * Merges the existing configuration, the user's and the backend's, in ascending precedence, and validates the result.
 *
 * @throws ServiceError `invalid_query_params` if a value is invalid or missing, or is one that users may not set
 */
export function readConfiguration({ session, uniqueKey, provider, params, known }: Given): Configuration {
  const typed = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== ''));
  const fields = provider.definition.connection_config ?? {};
  const added = { ...typed, ...session.defaults[uniqueKey] };
  const whole = { ...known?.connectionConfig, ...added };
  const faults = [
    ...Object.keys(typed).flatMap((name) => mayNotBeSet(name, fields)),
    ...checkFields(fields, whole, { allowUnknown: true }),
  ];
  if (faults.length === 0) return { added, whole };
  const details = faults.map((fault) => ({ ...fault, path: ['params', ...fault.path] }));
  throw new ServiceError('invalid_query_params', faults.map((fault) => fault.message).join(' '), { details });
}

function mayNotBeSet(name: string, fields: Readonly<Record<string, FormField>>) {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field !== undefined && field.automated !== true && field.hidden !== true) return [];
  return [{ code: 'unrecognized_key', message: `"${name}" cannot be set here.`, path: [name] }];
}
