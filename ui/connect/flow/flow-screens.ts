import { faultsFrom } from '../../kit/fields/form.ts';
import type { ConnectForm, Flow, FlowError, FlowState } from '../../kit/wire.ts';
import type { Failure, Screen } from './state.ts';

/** The screen for each state of a flow; undefined means that the window keeps its current screen. */
const SCREENS: Readonly<Record<FlowState, (flow: Flow, form: ConnectForm, now: Date) => Screen | undefined>> = {
  created: () => undefined,
  opened: () => undefined,
  redirected: () => undefined,
  returned: verifying,
  exchanging: verifying,
  verifying,
  choosing: ({ options }, form) => ({ at: 'choosing', form, options, isSending: false, failure: null }),
  succeeded: ({ account, is_limited: isLimited }, form) => ({ at: 'success', form, account, isLimited }),
  failed: ({ error }, form, now) => failed(error, form, now),
  cancelled: (_, form, now) => ({ at: 'failure', form, failure: failureOf('flow_cancelled', now) }),
  superseded: (_, form, now) => ({ at: 'failure', form, failure: failureOf('state_mismatch', now) }),
};

export function screenOf(flow: Flow, form: ConnectForm, now: Date): Screen | undefined {
  return SCREENS[flow.state](flow, form, now);
}

export function failureOf(code: string, now: Date, facts: Partial<Failure> = {}): Failure {
  return { code, message: null, logId: null, at: now, retryAt: null, ...facts };
}

/** Returns the screen shown while credentials are verified; undefined for a form, which stays visible with the typed values. */
function verifying(_: Flow, form: ConnectForm): Screen | undefined {
  return form.way === 'sign_in' ? { at: 'verifying', form } : undefined;
}

/** Maximum length of a failure's message, in characters. */
const MAX_MESSAGE = 500;

/** Codes of failures that the user can correct in the form, which is then shown again. */
const OF_THE_FORM = ['credentials_rejected', 'field_invalid'];

function failed(error: FlowError | null, form: ConnectForm, now: Date): Screen {
  const { code, message, fields, log_id: logId, retry_after: seconds } = error ?? NO_ERROR;
  const retryAt = seconds === null ? null : new Date(now.getTime() + seconds * 1_000);
  const failure = failureOf(code, now, { message: message?.slice(0, MAX_MESSAGE) ?? null, logId, retryAt });
  const faults = faultsFrom(form.fields, fields);
  const isOfForm = OF_THE_FORM.includes(code) && form.fields.length > 0;
  if (!isOfForm) return { at: 'failure', form, failure };
  return { at: 'start', form, faults, failure, isChecking: false, attempts: 1 };
}

const NO_ERROR: FlowError = { code: 'server_error', message: null, fields: [], log_id: null, retry_after: null };
