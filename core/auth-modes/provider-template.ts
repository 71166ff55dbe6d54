import { checkFields, hostFieldsOf, type JsonObject, withDefaults } from '#contract';
import { fillText, fillUrl, TemplateError, type TemplateValues } from '../kit/template.ts';
import type { ModeInput } from './auth-mode.ts';

export interface TemplateSource extends Pick<ModeInput, 'definition' | 'connectionConfig' | 'integrationConfig'> {
  /** The mode's `templateValues`; only for requests to the provider's API. */
  readonly credentials?: TemplateValues;
}

/** Values of `${connectionConfig.x}` and `${integrationConfig.x}`. Strings only. */
export function providerValues({ definition, connectionConfig, integrationConfig, credentials }: TemplateSource): TemplateValues {
  return {
    ...credentials,
    ...named('connectionConfig', withDefaults(definition.connection_config, connectionConfig)),
    ...named('integrationConfig', withDefaults(definition.integration_config, integrationConfig)),
  };
}

/**
 * Fills a URL of the definition. Fields that determine the host are checked again: the row may be older than their pattern, and
 * secrets are sent to that host.
 *
 * @throws TemplateError
 */
export function fillProviderUrl(template: string, source: TemplateSource): URL {
  for (const { group, field } of hostFieldsOf(template)) {
    const [name, values] =
      group === 'connection_config'
        ? ['connectionConfig', source.connectionConfig]
        : ['integrationConfig', source.integrationConfig];
    const faults = checkFields(source.definition[group], values, { allowUnknown: true });
    const fault = faults.find(({ path }) => path[0] === field);
    if (fault !== undefined) throw new TemplateError(`${name}.${field}`, fault.code === 'required' ? 'missing' : 'invalid');
  }
  return fillUrl(template, providerValues(source));
}

/** Fills the parameters or headers that a definition adds. @throws TemplateError */
export function fillTexts(
  templates: Readonly<Record<string, string>> | undefined,
  source: TemplateSource,
): Record<string, string> {
  const values = providerValues(source);
  return Object.fromEntries(Object.entries(templates ?? {}).map(([name, template]) => [name, fillText(template, values)]));
}

function named(prefix: string, values: JsonObject): TemplateValues {
  const texts = Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' ? [[`${prefix}.${name}`, value]] : [],
  );
  return Object.fromEntries(texts);
}
