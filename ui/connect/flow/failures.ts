import type { ConnectForm, Field } from '../../kit/wire.ts';
import type { TextKey } from '../texts/en.ts';

export type FailureAction = 'try_again' | 'choose_other' | 'close';

interface FailureTexts {
  readonly heading?: TextKey;
  readonly text: TextKey;
  /** Replaces `text` if the form asks for the provider's address or a part of it, which may be mistyped. */
  readonly textForAddress?: TextKey;
  /** Replaces `text` if the user signed in at the provider and typed no credentials. */
  readonly textForSignIn?: TextKey;
  readonly note?: TextKey;
  /** The action that the user is offered. Default: `try_again`. */
  readonly action?: FailureAction;
}

/** Texts and actions for the user, by error code. */
const FAILURES: Readonly<Record<string, FailureTexts>> = {
  integration_unavailable: { text: 'error_integration_unavailable', action: 'choose_other' },
  connection_deleted: { text: 'error_connection_deleted', action: 'close' },
  flow_cancelled: { heading: 'cancelled_heading', text: 'error_flow_cancelled' },
  provider_denied: { heading: 'denied_heading', text: 'error_provider_denied', note: 'denied_note' },
  provider_error: { text: 'error_provider_error' },
  // The default heading would be wrong, since another attempt may have created a connection.
  state_mismatch: { heading: 'over_heading', text: 'error_state_mismatch' },
  token_exchange_failed: { text: 'error_token_exchange_failed' },
  account_not_permitted: { text: 'error_account_not_permitted' },
  account_refused: { text: 'error_account_refused' },
  credentials_rejected: { text: 'error_credentials_rejected', textForSignIn: 'error_access_rejected' },
  provider_unreachable: { text: 'error_provider_unreachable', textForAddress: 'error_address_unreachable' },
  field_invalid: { text: 'error_field_invalid' },
  preset_invalid: { text: 'error_preset_invalid', action: 'close' },
  wrong_account: { text: 'error_wrong_account' },
  connection_limit: { text: 'error_connection_limit', action: 'close' },
  rate_limited: { text: 'error_rate_limited' },
  approval_pending: { heading: 'pending_failed_heading', text: 'error_approval_pending' },
  offline: { text: 'error_offline' },
  outcome_unknown: { heading: 'over_heading', text: 'error_outcome_unknown' },
  server_error: { text: 'error_server_error' },
};

const UNKNOWN: FailureTexts = { text: 'error_server_error' };

interface ShownTexts {
  readonly heading: TextKey;
  readonly text: TextKey;
  readonly note: TextKey | null;
  readonly action: FailureAction;
}

/** Returns the texts for a failure. @param form the form of the attempt; null if it is not known */
export function textsOfFailure(code: string, form: Pick<ConnectForm, 'fields' | 'way'> | null): ShownTexts {
  const known = Object.hasOwn(FAILURES, code) ? (FAILURES[code] ?? UNKNOWN) : UNKNOWN;
  const { heading = 'failed_heading', note = null, action = 'try_again' } = known;
  return { heading, text: textFor(known, form), note, action };
}

function textFor(
  { text, textForAddress, textForSignIn }: FailureTexts,
  form: Pick<ConnectForm, 'fields' | 'way'> | null,
): TextKey {
  if (textForSignIn && form?.way === 'sign_in') return textForSignIn;
  return textForAddress && form?.fields.some(isAddress) ? textForAddress : text;
}

function isAddress({ format, prefix, suffix }: Field): boolean {
  return format === 'hostname' || format === 'uri' || prefix !== undefined || suffix !== undefined;
}
