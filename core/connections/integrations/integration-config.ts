import { COMMON_SETTINGS, checkFields, checkListSettings, type FormField, type JsonObject } from '#contract';
import type { Provider } from '../../catalogue/catalogue.ts';
import { type ErrorDetail, ServiceError } from '../../errors.ts';
import { type Outbound, OutboundError } from '../../kit/outbound.ts';
import type { IntegrationsDeps } from './deps.ts';

/**
 * Returns the configuration after a change, validated as a whole: omitted fields stay unchanged, an empty string removes a value.
 *
 * @throws ServiceError `invalid_body` if the result does not fit the definition, with one detail for each fault
 */
export function changedConfig(
  { outbound }: { readonly outbound: Pick<Outbound, 'check'> },
  { slug, definition }: Provider,
  { before, changes }: { readonly before: JsonObject; readonly changes: Readonly<Record<string, string>> },
): JsonObject {
  const fields = { ...COMMON_SETTINGS, ...definition.integration_config };
  const whole = Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== ''));
  const faults = [
    // Stored fields may come from an older definition that had them, so only the changed ones must be fields of this definition.
    ...checkFields(fields, changes).filter(({ code }) => code === 'unrecognized_key'),
    ...checkFields(fields, whole, { allowUnknown: true }),
    ...checkListSettings(changes),
    ...plainHttpFaults(outbound, fields, whole),
  ];
  if (faults.length === 0) return whole;
  const details = faults.map((fault) => ({ ...fault, path: ['integration_config', ...fault.path] }));
  throw new ServiceError('invalid_body', `integration_config does not fit the provider "${slug}"`, { details });
}

/** Returns a fault for each plain http address, so that it is rejected before a secret could be sent there. */
function plainHttpFaults(
  outbound: IntegrationsDeps['outbound'],
  fields: Readonly<Record<string, FormField>>,
  config: JsonObject,
): ErrorDetail[] {
  return Object.entries(fields).flatMap(([name, { format, title }]) => {
    const url = format === 'uri' ? URL.parse(String(config[name])) : null;
    if (url?.protocol !== 'http:' || mayBeCalled(outbound, url)) return [];
    return [{ code: 'address_not_allowed', message: `${title} must begin with https://`, path: [name] }];
  });
}

function mayBeCalled(outbound: IntegrationsDeps['outbound'], url: URL): boolean {
  try {
    outbound.check(url);
    return true;
  } catch (error) {
    if (error instanceof OutboundError) return false;
    throw error;
  }
}
