import { isVisible, type JsonObject, type ProviderDefinition, withDefaults } from '#contract';
import { type AskedCredential, askedCredentials } from '../../auth-modes/asked-credentials.ts';

/** Where a value is sent: `params` become connection configuration. */
type Group = 'params' | 'credentials';

type Shown = Omit<AskedCredential, 'type' | 'hidden' | 'automated' | 'order' | 'doc_section'>;

/** An input of the form, as user interfaces get it. */
export interface AskedField extends Shown {
  readonly path: readonly [Group, string];
}

export interface FormInput {
  readonly definition: ProviderDefinition;
  /** What the backend has set of the connection's configuration. */
  readonly presets: JsonObject;
  /** A connection that is reauthorized keeps its configuration, which the browser does not know: it must not overwrite any. */
  readonly isReconnect: boolean;
  /** The guide that `doc_section` is an anchor in. */
  readonly guideUrl: string | undefined;
}

/** What a user is asked for, in the order of the form: by `order`, then credentials before configuration. */
export function formFields(input: FormInput): AskedField[] {
  const { definition, presets, isReconnect } = input;
  const fields = [
    ...asked('credentials', { ...input, fields: askedCredentials(definition), presets: {} }),
    ...(isReconnect ? [] : asked('params', { ...input, fields: definition.connection_config ?? {}, presets })),
  ];
  return fields.toSorted((one, other) => one.position - other.position).map(({ field }) => field);
}

interface Entries extends Pick<FormInput, 'guideUrl' | 'presets'> {
  readonly fields: Readonly<Record<string, AskedCredential>>;
}

function asked(group: Group, given: Entries): { readonly position: number; readonly field: AskedField }[] {
  const { fields, presets } = given;
  const values = withDefaults(fields, presets);
  return Object.entries(fields).flatMap(([name, field]) => {
    const isDecided = field.visible_when !== undefined && !isAsked(field.visible_when.field, given);
    if (!isAsked(name, given) || (isDecided && !isVisible(field, values))) return [];
    const { visible_when, ...always } = shown(field, { ...given, values });
    const condition = isDecided || visible_when === undefined ? {} : { visible_when };
    return [{ position: field.order ?? Number.MAX_SAFE_INTEGER, field: { path: [group, name], ...always, ...condition } }];
  });
}

function isAsked(name: string, { fields, presets }: Entries): boolean {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return field !== undefined && field.hidden !== true && field.automated !== true && !Object.hasOwn(presets, name);
}

function shown(field: AskedCredential, { values, ...given }: Entries & { readonly values: JsonObject }): Shown {
  const { type: _, hidden: __, automated: ___, order: ____, doc_section: section, optional_with: other, ...rest } = field;
  const { guideUrl } = given;
  const isReplaced = other !== undefined && Object.hasOwn(values, other);
  return {
    ...rest,
    ...(isReplaced && { optional: true }),
    ...(other !== undefined && isAsked(other, given) && { optional_with: other }),
    ...(section !== undefined && guideUrl !== undefined && { help_url: `${guideUrl}#${encodeURIComponent(section)}` }),
    ...(field.help_url !== undefined && { help_url: field.help_url }),
  };
}
