import { checkFields, type JsonObject, type ProviderDefinition, textAt } from '#contract';
import { type CallDeps, callApi, readJson } from '../../credentials/api-call.ts';
import { ServiceError } from '../../errors.ts';
import { OutboundError, type OutboundResponse } from '../../kit/outbound.ts';
import { TemplateError } from '../../kit/template.ts';
import { chooseEntry } from './choose.ts';
import type { ConnectionPlan } from './connection-plan.ts';

type Discovery = NonNullable<ProviderDefinition['discover']>[number];

const TIMEOUT_MS = 10_000;
const MAX_VALUE = 2048;
const CONTROL = /[\p{Cc}\p{Cs}]/u;

/**
 * Reads the values that the definition's `discover` names from the provider's API, with the new credentials. Values that the
 * backend fixed are not requested.
 *
 * @throws ChoiceNeeded if the user has to choose from several; ServiceError `connection_test_failed` or `provider_unavailable` if
 *   a required value is not found
 */
export async function discover(deps: CallDeps, plan: ConnectionPlan): Promise<JsonObject> {
  let found: JsonObject = {};
  for (const discovery of plan.input.definition.discover ?? []) {
    const isFixed = Object.keys(discovery.values).every((name) => Object.hasOwn(plan.fixedConfig, name));
    if (!isFixed) found = { ...found, ...(await discoverOne(deps, plan, { discovery, found })) };
  }
  return found;
}

interface Step {
  readonly discovery: Discovery;
  /** The values that the previous steps have found. */
  readonly found: JsonObject;
}

async function discoverOne(deps: CallDeps, plan: ConnectionPlan, { discovery, found }: Step): Promise<JsonObject> {
  const { definition, connectionConfig } = plan.input;
  const fields = definition.connection_config ?? {};
  const isRequired = (name: string) => Object.hasOwn(fields, name) && fields[name]?.optional !== true;
  const names = Object.keys(discovery.values);
  const input = { ...plan.input, connectionConfig: { ...connectionConfig, ...found } };
  const response = await ask(deps, { ...plan, input }, discovery);
  const values = response instanceof Error || response.status >= 300 ? {} : valuesOf(plan, readJson(response), discovery);
  const missing = names.filter((name) => !Object.hasOwn(values, name));
  if (missing.some(isRequired)) throw failure(response, missing.filter(isRequired));
  if (missing.length > 0) {
    const status = response instanceof Error ? { reason: response.message } : { status: response.status };
    plan.note('warn', 'the provider did not return everything that was asked about this connection', { missing, ...status });
  }
  return values;
}

/** Calls the provider's API. @returns an error if no response came, or the call could not be made */
async function ask(
  deps: CallDeps,
  { input, credentials }: ConnectionPlan,
  { base_url, endpoint, body }: Discovery,
): Promise<OutboundResponse | Error> {
  const baseUrl = base_url ?? input.definition.proxy?.base_url ?? '';
  try {
    return await callApi(deps, { input, credentials }, { baseUrl, endpoint, body, timeoutMs: TIMEOUT_MS });
  } catch (error) {
    if (error instanceof OutboundError || error instanceof TemplateError || error instanceof ServiceError) return error;
    throw error;
  }
}

function valuesOf(plan: ConnectionPlan, response: unknown, discovery: Discovery): JsonObject {
  if (response === undefined) return {};
  const { choose, values } = discovery;
  const source = choose === undefined ? response : chooseEntry(plan, response, { ...discovery, choose });
  const fields = plan.input.definition.connection_config ?? {};
  const found = Object.entries(values).flatMap(([name, path]) => {
    const text = textAt(source, path);
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const isUsable = text !== undefined && text.length <= MAX_VALUE && !CONTROL.test(text);
    // The value is checked, since it may become part of a host.
    const fits = isUsable && (field === undefined || checkFields({ [name]: field }, { [name]: text }).length === 0);
    return fits ? [[name, text] as const] : [];
  });
  return Object.fromEntries(found);
}

function failure(response: OutboundResponse | Error, missing: readonly string[]): ServiceError {
  const names = missing.join(', ');
  if (response instanceof Error) {
    const code =
      response instanceof OutboundError && response.code !== 'address_not_allowed' ? 'provider_unavailable' : undefined;
    return new ServiceError(code ?? 'connection_test_failed', `the provider could not be called for ${names}`, {
      cause: response,
    });
  }
  const isAway = response.status >= 500 || response.status === 429;
  const code = isAway ? 'provider_unavailable' : 'connection_test_failed';
  return new ServiceError(code, `the provider did not return ${names} (${response.status})`);
}
