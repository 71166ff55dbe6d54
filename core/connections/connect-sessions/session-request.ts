import type { Knex } from 'knex';
import { checkFields, type JsonObject } from '#contract';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { ServiceError } from '../../errors.ts';
import { connectSettingsOf } from '../../tenants/environments/connect-settings-store.ts';
import { faultOfReturnUrl } from '../../tenants/environments/return-urls.ts';
import { type AttributeChanges, changeOf } from '../change-connection.ts';
import type { Connection, EndUser } from '../connection.ts';
import type { ConnectionChange } from '../connection-change-store.ts';
import { tagsOfOrganization } from '../end-user.ts';
import { readTags } from '../tags.ts';
import type { AuthorizationPreset, ConnectSession, UiOverride } from './session.ts';

/** The settings that a backend may make in a session, whether for a new or for an existing connection. */
export interface SessionRequest {
  readonly attributes: AttributeChanges;
  /** Deprecated: an organization that is sent without an end user. */
  readonly organization?: EndUser['organization'];
  readonly presets: Readonly<Record<string, Preset>>;
  readonly overrides: Readonly<Record<string, UiOverride>>;
  /** Not yet checked; see `checkReturnUrl`. */
  readonly returnUrl?: string;
}

interface Preset extends AuthorizationPreset {
  readonly connectionConfig?: JsonObject;
}

/**
 * Returns the fields of the connection that the session sets.
 *
 * @throws ServiceError `invalid_body` when there would be too many tags
 */
export function attributeChange(
  { attributes, organization }: SessionRequest,
  current?: Pick<Connection, 'tags' | 'endUser'>,
): ConnectionChange {
  if (organization == null) return changeOf(attributes, current);
  const brought = tagsOfOrganization(organization);
  const tags = attributes.tags === undefined ? { ...current?.tags, ...brought } : { ...brought, ...attributes.tags };
  return changeOf({ ...attributes, tags: readTags(tags, { code: 'invalid_body', path: ['tags'] }) }, current);
}

/** Returns the keys of all integrations that have presets or overrides. */
export function keysIn({ presets, overrides }: SessionRequest): string[] {
  return [...Object.keys(presets), ...Object.keys(overrides)];
}

/** Returns the presets as a session stores them. */
export function keptPresets({ presets }: SessionRequest): Pick<ConnectSession, 'defaults' | 'authorizationPresets'> {
  const entries = Object.entries(presets);
  return {
    defaults: Object.fromEntries(
      entries.flatMap(([key, { connectionConfig }]) => (connectionConfig === undefined ? [] : [[key, connectionConfig]])),
    ),
    authorizationPresets: Object.fromEntries(entries.map(([key, { connectionConfig: _, ...preset }]) => [key, preset])),
  };
}

/** Checks the return URL. @throws ServiceError `invalid_body` if the environment does not allow links to return to it */
export async function checkReturnUrl(
  { db }: { readonly db: Knex },
  environmentId: number,
  { returnUrl }: SessionRequest,
): Promise<void> {
  if (returnUrl === undefined) return;
  const { returnUrls } = await connectSettingsOf(db, environmentId);
  const fault = faultOfReturnUrl(returnUrl, returnUrls);
  if (fault === undefined) return;
  const details = [{ code: 'invalid_value', message: fault, path: ['return_url'] }];
  throw new ServiceError('invalid_body', `return_url ${fault}`, { details });
}

/**
 * Checks the presets, so that a fault is reported to the backend that sent them and not to the end user. A missing value is no
 * fault, since the user may still enter it.
 *
 * @param providers the providers of the integrations, by integration key
 * @throws ServiceError `invalid_body`
 */
export function checkPresets(
  { catalogue }: { readonly catalogue: Catalogue },
  { presets }: SessionRequest,
  providers: ReadonlyMap<string, string>,
): void {
  const details = Object.entries(presets).flatMap(([key, { connectionConfig = {} }]) => {
    const fields = catalogue.find(providers.get(key) ?? '')?.definition.connection_config;
    const faults = checkFields(fields, connectionConfig, { allowUnknown: true }).filter(({ code }) => code !== 'required');
    const path = ['integrations_config_defaults', key, 'connection_config'];
    return faults.map((fault) => ({ ...fault, path: [...path, ...fault.path] }));
  });
  if (details.length > 0)
    throw new ServiceError('invalid_body', 'integrations_config_defaults do not fit the providers', { details });
}
