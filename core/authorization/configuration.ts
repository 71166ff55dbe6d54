import { checkFields, type FormField, type JsonObject } from '#contract';
import type { Provider } from '../catalogue/catalogue.ts';
import type { ConnectSession } from '../connect-sessions/session.ts';
import type { Connection } from '../connections/connection.ts';
import { ServiceError } from '../errors.ts';

interface Given {
  readonly session: ConnectSession;
  readonly uniqueKey: string;
  readonly provider: Provider;
  /** What the user typed. */
  readonly params: Readonly<Record<string, string>>;
  /** The connection to authorize again. */
  readonly known: Pick<Connection, 'connectionConfig'> | undefined;
}

export interface Configuration {
  /** What this authorization brings. */
  readonly added: JsonObject;
  /** Over what the connection had. */
  readonly whole: JsonObject;
}

/**
 * What the connection had, what the user typed, and over both what the backend fixed. Checked as a whole.
 *
 * @throws ServiceError `invalid_query_params`
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
