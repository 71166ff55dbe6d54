import { isObject, type OutgoingRequest, type ProxyRules, type SigningCredentials } from '#contract';
import { copyJson } from '../../kit/exact-json.ts';
import { checkedHeader } from '../../kit/header-syntax.ts';
import type { Logger } from '../../kit/logger.ts';
import { callRule } from '../plugins/call-rule.ts';

/** The headers and query parameters that a plugin adds to a request. */
interface PluginSignature {
  /** Header names are in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly query: readonly (readonly [name: string, value: string])[];
}

interface Signing {
  readonly rules: Pick<ProxyRules, 'signsBody'> & Required<Pick<ProxyRules, 'sign'>>;
  readonly provider: string;
  /** Absent when there is no connection yet. */
  readonly connectionId?: string;
  readonly credentials: SigningCredentials;
}

interface Unsigned {
  readonly request: OutgoingRequest;
  readonly at: Date;
  /** Called only if the signature covers the body. */
  wholeBody(): Promise<Uint8Array>;
}

/**
 * Lets a provider's plugin sign one request. The plugin can set headers and query parameters, but not change the host, the path
 * or anything else.
 *
 * @throws ServiceError as `callRule`; whatever `wholeBody` throws
 */
export async function pluginSignature(
  deps: { readonly log: Logger },
  { rules, provider, connectionId, credentials }: Signing,
  { request, at, wholeBody }: Unsigned,
): Promise<PluginSignature> {
  const about = { provider, ...(connectionId !== undefined && { connectionId }), tokens: () => credentials.tokens };
  const copy = () => ({ ...request, url: new URL(request.url), headers: { ...request.headers } });
  const coversBody = callRule(deps, { rule: 'proxy.signsBody', ...about }, () => rules.signsBody?.(copy()) === true);
  const body = coversBody ? { body: await wholeBody() } : {};
  return callRule(deps, { rule: 'proxy.sign', ...about }, () =>
    readSignature(rules.sign({ ...copy(), ...body, at }, copyJson(credentials))),
  );
}

/** Checks what the plugin returned. @throws Error that says what is wrong with it, without quoting a value */
function readSignature(value: unknown): PluginSignature {
  if (value instanceof Promise) {
    // A rejection of the promise must not end the process.
    value.catch(() => undefined);
    throw new Error('it returned a promise');
  }
  if (!isObject(value)) throw new Error('it returned no signature');
  const { headers = {}, query = {}, ...others } = value;
  if (Object.keys(others).length > 0) throw new Error('it returned something other than `headers` and `query`');
  if (!isObject(headers) || !isObject(query)) throw new Error('its `headers` or `query` is not an object');
  return {
    headers: Object.entries(headers).map(([name, header]) => checkedHeader(name, header)),
    query: Object.entries(query).map(([name, text]) => {
      if (typeof text !== 'string' || !text.isWellFormed() || !name.isWellFormed())
        throw new Error('it set a parameter that is not a string');
      return [name, text] as const;
    }),
  };
}
