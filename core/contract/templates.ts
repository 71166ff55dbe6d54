import * as z from 'zod';

const PLAIN_TEXT = /^[^\p{Cc}]*$/u;
const URL_SHAPE = /^(?:https:\/\/(?:[A-Za-z0-9.-]|\$\{[\w.-]+\})+(?::\d{1,5})?|\$\{[\w.-]+\})(?:[/?][^#\\\s]*)?$/;
const PLACEHOLDER = /\$\{([\w.-]+)\}/g;

/** A text that may hold placeholders such as `${connectionConfig.region}`, but no line break, since it may become a header. */
export const textTemplate = z.string().min(1).regex(PLAIN_TEXT, 'must not contain control characters');

/** Typed JSON whose texts may hold placeholders. */
export type JsonTemplate =
  | null
  | boolean
  | number
  | string
  | readonly JsonTemplate[]
  | { readonly [member: string]: JsonTemplate };

/**
 * Schema of a JSON template. An object whose only property is `omit_if_empty` stands for the value of that property. It is
 * omitted if the value is a text with a placeholder that is missing or empty, or a list of which no item remains.
 */
export const jsonTemplate: z.ZodType<JsonTemplate> = z
  .lazy(() =>
    z.union([z.null(), z.boolean(), z.number(), textTemplate, z.array(jsonTemplate), z.record(z.string().min(1), jsonTemplate)]),
  )
  .meta({ id: 'jsonTemplate' });

/** A path that the service itself serves, in definitions of a sandbox. */
const SANDBOX_PATH = /^\/sandbox(?:\/[a-z0-9-]+)+$/;

/**
 * A URL that may hold placeholders. It begins with `https://`, or with a placeholder whose value is itself an absolute URL; in a
 * sandbox's definition it is a path of this service.
 */
export const urlTemplate = z.string().refine((text) => URL_SHAPE.test(text) || SANDBOX_PATH.test(text), {
  error: 'must begin with https:// or a placeholder, and must not contain a user name, a fragment or a space',
});

export function isSandboxPath(url: string): boolean {
  return SANDBOX_PATH.test(url);
}

/** A fixed public address, e.g. of a documentation page. */
export const secureUrl = z.url({ protocol: /^https$/ });

/**
 * Returns the names of the placeholders that decide to which host a URL template leads; all others only fill its path and
 * query.
 */
export function hostPlaceholdersOf(template: string): readonly string[] {
  const rest = template.startsWith('https://') ? template.slice('https://'.length) : template;
  const [authority = ''] = rest.split(/[/?]/, 1);
  return [...authority.matchAll(PLACEHOLDER)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}

/**
 * Splits the name of a placeholder: `connectionConfig.region` is the field `region` of `connectionConfig`; other values, such
 * as `accessToken`, have no field.
 */
export function splitPlaceholder(placeholder: string): { readonly group: string; readonly field: string } {
  const [group = ''] = placeholder.split('.', 1);
  return { group, field: placeholder.slice(group.length + 1) };
}

/** A form field that decides the host of a URL. */
export interface HostField {
  readonly group: 'connection_config' | 'integration_config';
  readonly field: string;
}

/**
 * Returns the form fields among the host's placeholders. They are checked again before a URL is filled, since secrets go to
 * that host.
 */
export function hostFieldsOf(template: string): readonly HostField[] {
  return hostPlaceholdersOf(template).flatMap((placeholder): HostField[] => {
    const { group, field } = splitPlaceholder(placeholder);
    if (group === 'connectionConfig') return [{ group: 'connection_config', field }];
    return group === 'integrationConfig' ? [{ group: 'integration_config', field }] : [];
  });
}
