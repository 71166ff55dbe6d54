import { type Way, wayOf } from '../../auth-modes/way.ts';
import { ServiceError } from '../../errors.ts';
import type { AuthorizationTarget } from '../flows/target.ts';
import { describedScopes } from './described-scopes.ts';
import { type AskedField, formFields } from './form-fields.ts';
import { signInHost } from './sign-in-host.ts';

/** What a user interface asks of a user to connect one integration, and tells them before. */
export interface ConnectForm {
  readonly way: Way;
  readonly signInHost: string | null;
  /** Where the user learns how to find what the form asks for. */
  readonly guideUrl: string | null;
  readonly scopes: ReturnType<typeof describedScopes>;
  readonly fields: readonly AskedField[];
  readonly isReconnect: boolean;
}

/** @throws ServiceError `invalid_auth_mode` if users cannot connect it, only backends by importing */
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
    // The anchors of fields are those of the definition's guide.
    fields: formFields({ definition, presets, isReconnect, guideUrl: ownGuide === undefined ? guideUrl : undefined }),
    isReconnect,
  };
}
