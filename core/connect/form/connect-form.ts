import {
  decidingFieldsOf,
  effectiveDefinition,
  isVisible,
  type JsonObject,
  type ProviderDefinition,
  scopeNames,
  withDefaults,
} from '#contract';
import { type AskedCredential, askedCredentials } from '../../auth-modes/asked-credentials.ts';
import { fillProviderUrl } from '../../auth-modes/building-blocks/provider-template.ts';
import { requestedScopes } from '../../auth-modes/building-blocks/scopes.ts';
import { type Way, wayOf } from '../../auth-modes/way.ts';
import { effectiveClient } from '../../connections/integrations/effective-client.ts';
import { modeInput } from '../../connections/integrations/mode-input.ts';
import { ServiceError } from '../../errors.ts';
import { TemplateError } from '../../kit/template.ts';
import { authorizationParams } from '../flows/authorization-params.ts';
import type { AuthorizationTarget } from '../flows/target.ts';

/** Matches the part of a URL template before its path. */
const ORIGIN = /^(?:https:\/\/[^/?]+|\$\{[\w.-]+\})/;
const APP_LINK = 'integration.appLink';

/**
 * The form with which a user connects one integration: the values that it asks for, and the information that it shows with them.
 */
interface ConnectForm {
  readonly way: Way;
  readonly signInHost: string | null;
  /** The URL of the page that explains how to find the requested values. */
  readonly guideUrl: string | null;
  readonly scopes: ReturnType<typeof describedScopes>;
  readonly fields: readonly AskedField[];
  readonly isReconnect: boolean;
}

/**
 * @throws ServiceError `invalid_auth_mode` if users cannot connect the integration, because only backends can import its
 *   connections
 */
export function connectForm(target: AuthorizationTarget): ConnectForm {
  const { session, integration, provider, known } = target;
  const { definition } = provider;
  const way = wayOf(definition);
  if (way === undefined)
    throw new ServiceError(
      'invalid_auth_mode',
      `connections of "${integration.uniqueKey}" are imported, not authorized by users`,
    );
  const ownGuide = session.overrides[integration.uniqueKey]?.docsConnect ?? integration.connectScreen.guideUrl ?? undefined;
  const guideUrl = ownGuide ?? definition.connect_guide_url;
  const isReconnect = known !== undefined;
  const presets = session.defaults[integration.uniqueKey] ?? {};
  return {
    way,
    signInHost: way === 'sign_in' ? signInHost(target) : null,
    guideUrl: guideUrl ?? null,
    scopes: way === 'sign_in' ? describedScopes(target) : [],
    // `doc_section` of a field is an anchor in the definition's own guide, so it is of no use with another guide.
    fields: formFields({ definition, presets, isReconnect, guideUrl: ownGuide === undefined ? guideUrl : undefined }),
    isReconnect,
  };
}

interface DescribedScope {
  readonly name: string;
  readonly description: string;
}

/** Returns the scopes that will be requested from the provider, except those that the definition does not describe. */
function describedScopes(target: Pick<AuthorizationTarget, 'session' | 'integration' | 'provider'>): DescribedScope[] {
  const { session, integration, provider } = target;
  const { definition } = provider;
  const connectionConfig = session.defaults[integration.uniqueKey] ?? {};
  const { client } = modeInput(integration, provider, { connectionConfig, rules: undefined });
  const { user_scope: ofSession } = authorizationParams(target);
  const ofUser = ofSession?.split(',') ?? scopeNames(definition.user_scopes);
  const descriptions = descriptionsIn(definition);
  return [...new Set([...requestedScopes(client, definition), ...ofUser])].flatMap((name) => {
    const description = descriptions.get(name);
    return description === undefined ? [] : [{ name, description }];
  });
}

function descriptionsIn({ available_scopes, default_scopes, user_scopes }: ProviderDefinition): ReadonlyMap<string, string> {
  const all = [user_scopes, default_scopes, available_scopes].flatMap((scopes) => scopes ?? []);
  const described = all.flatMap((scope) =>
    typeof scope === 'string' || scope.description === undefined ? [] : [[scope.name, scope.description] as const],
  );
  return new Map(described);
}

/**
 * Returns the host on which users sign in, so that they can be told beforehand; null if it is discovered, or depends on a value
 * that the user has yet to enter or that browsers must not learn (set by the backend, or secret).
 */
function signInHost({ integration, provider }: Pick<AuthorizationTarget, 'integration' | 'provider'>): string | null {
  const { integrationConfig } = integration;
  const definition = effectiveDefinition(provider.definition, integrationConfig);
  const { appLink } = effectiveClient(integration, provider);
  const template = definition.authorization_url ?? (appLink === undefined ? undefined : `\${${APP_LINK}}`);
  const origin = ORIGIN.exec(template ?? '')?.[0];
  if (origin === undefined || decidingFieldsOf(origin, definition).some(isNotForBrowsers)) return null;
  const credentials = appLink === undefined ? {} : { [APP_LINK]: appLink };
  try {
    return fillProviderUrl(origin, { definition, connectionConfig: {}, integrationConfig, credentials }).host;
  } catch (error) {
    if (error instanceof TemplateError) return null;
    throw error;
  }

  function isNotForBrowsers({ group, field }: ReturnType<typeof decidingFieldsOf>[number]): boolean {
    return group === 'connection_config' || definition.integration_config?.[field]?.secret === true;
  }
}

/** The field of the request body that holds a value of the form; the values in `params` become connection configuration. */
type Group = 'params' | 'credentials';

type ShownCredential = Omit<AskedCredential, 'type' | 'hidden' | 'automated' | 'order' | 'doc_section'>;

/** An input of the form, as user interfaces receive it. */
interface AskedField extends ShownCredential {
  readonly path: readonly [Group, string];
}

interface FormInput {
  readonly definition: ProviderDefinition;
  /** The connection configuration that the backend has set. */
  readonly presets: JsonObject;
  /**
   * True if an existing connection is reauthorized. It keeps its configuration, which the browser does not know and must not
   * overwrite.
   */
  readonly isReconnect: boolean;
  /** The URL of the guide in which the fields' `doc_section` values are anchors. */
  readonly guideUrl: string | undefined;
}

/** Returns the fields to fill in, in the order of the form: by `order`, then credentials before configuration. */
function formFields(input: FormInput): AskedField[] {
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

function shown(field: AskedCredential, { values, ...given }: Entries & { readonly values: JsonObject }): ShownCredential {
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
