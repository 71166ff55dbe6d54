import {
  checkFields,
  decidingFieldsOf,
  hostPlaceholdersOf,
  type Json,
  type JsonObject,
  type JsonTemplate,
  mapValues,
  type ProviderDefinition,
  withDefaults,
} from '#contract';
import { withLowerCaseNames } from '../../kit/header-names.ts';
import { fillText, fillUrl, TemplateError, type TemplateValues } from '../../kit/template.ts';
import type { ModeInput } from '../auth-mode.ts';

const CREDENTIALS = 'credentials.';

export interface TemplateSource extends Pick<ModeInput, 'definition' | 'connectionConfig' | 'integrationConfig'> {
  /** The mode's `templateValues`; set only for requests to the provider's API. */
  readonly credentials?: TemplateValues;
}

/** Returns the values of `${connectionConfig.x}`, `${integrationConfig.x}` and `${maps.x.y}`. Only strings have a value. */
export function providerValues(source: TemplateSource): TemplateValues {
  const { definition, connectionConfig, integrationConfig, credentials } = source;
  return {
    ...credentials,
    ...mapValues(definition, source),
    ...named('connectionConfig', withDefaults(definition.connection_config, connectionConfig)),
    ...named('integrationConfig', withDefaults(definition.integration_config, integrationConfig)),
  };
}

/**
 * Fills a URL template of the definition. Fields that decide the host are validated again, since secrets are sent to that host
 * and the value may have been stored before its pattern was introduced.
 *
 * @throws TemplateError if a value is missing, or not allowed in its part of the URL
 */
export function fillProviderUrl(template: string, source: TemplateSource): URL {
  for (const { group, field } of decidingFieldsOf(template, source.definition)) {
    const [name, values] =
      group === 'connection_config'
        ? ['connectionConfig', source.connectionConfig]
        : ['integrationConfig', source.integrationConfig];
    checkAgain(`${name}.${field}`, { field, fields: source.definition[group], values });
  }
  for (const placeholder of hostPlaceholdersOf(template).filter((name) => name.startsWith(CREDENTIALS))) {
    const field = placeholder.slice(CREDENTIALS.length);
    const value = source.credentials?.[placeholder];
    const values = value === undefined ? {} : { [field]: value };
    checkAgain(placeholder, { field, fields: source.definition.credentials, values });
  }
  return fillUrl(template, providerValues(source));
}

interface DecidingField {
  readonly field: string;
  readonly fields: ProviderDefinition['credentials'];
  readonly values: JsonObject;
}

function checkAgain(placeholder: string, { field, fields, values }: DecidingField): void {
  const fault = checkFields(fields, values, { allowUnknown: true }).find(({ path }) => path[0] === field);
  if (fault !== undefined) throw new TemplateError(placeholder, fault.code === 'required' ? 'missing' : 'invalid');
}

/** Fills the parameters that a definition adds. @throws TemplateError if a value is missing or not allowed */
export function fillTexts(
  templates: Readonly<Record<string, string>> | undefined,
  source: TemplateSource,
): Record<string, string> {
  const values = providerValues(source);
  return Object.fromEntries(Object.entries(templates ?? {}).map(([name, template]) => [name, fillText(template, values)]));
}

/**
 * Fills the headers that a definition adds, and returns them by their names in lower case.
 *
 * @throws TemplateError if a value is missing or not allowed
 */
export function fillHeaders(
  templates: Readonly<Record<string, string>> | undefined,
  source: TemplateSource,
): Record<string, string> {
  return withLowerCaseNames(Object.entries(fillTexts(templates, source)));
}

/**
 * Fills parameters or claims of any JSON type. A value `{"omit_if_empty": "<template>"}` is left out together with its name if
 * one of the template's values is missing or the resulting text is empty; with a list in place of the template, if all of its
 * items are.
 *
 * @throws TemplateError if any other value is missing or not allowed
 */
export function fillJson(templates: Readonly<Record<string, JsonTemplate>> | undefined, source: TemplateSource): JsonObject {
  const values = providerValues(source);
  return filledMembers(templates ?? {}, values);
}

function filledMembers(members: Readonly<Record<string, JsonTemplate>>, values: TemplateValues): JsonObject {
  const filled = Object.entries(members).flatMap(([name, template]) => {
    const value = filledJson(template, values);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(filled);
}

function filledJson(template: JsonTemplate, values: TemplateValues): Json | undefined {
  if (typeof template === 'string') return fillText(template, values);
  if (Array.isArray(template)) return filledItems(template, values);
  if (typeof template !== 'object' || template === null) return template;
  const members = template as Readonly<Record<string, JsonTemplate>>;
  const { omit_if_empty: optional, ...others } = members;
  if (Object.keys(others).length > 0) return filledMembers(members, values);
  if (typeof optional === 'string') return optionalText(optional, values);
  if (!Array.isArray(optional)) return filledMembers(members, values);
  const items = filledItems(optional, values);
  return items.length === 0 ? undefined : items;
}

function filledItems(items: readonly JsonTemplate[], values: TemplateValues): Json[] {
  return items.map((item) => filledJson(item, values)).filter((value) => value !== undefined);
}

function optionalText(template: string, values: TemplateValues): string | undefined {
  try {
    return fillText(template, values) || undefined;
  } catch (error) {
    if (error instanceof TemplateError && error.reason === 'missing') return undefined;
    throw error;
  }
}

function named(prefix: string, values: JsonObject): TemplateValues {
  const texts = Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' ? [[`${prefix}.${name}`, value]] : [],
  );
  return Object.fromEntries(texts);
}
