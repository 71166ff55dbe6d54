import { ApiError } from '../../kit/api-error.ts';
import { faultsFrom, type Values } from '../../kit/fields/form.ts';
import { type ConnectForm, type Flow, type FlowState, hasEnded, type NewFlow } from '../../kit/wire.ts';
import { followFlow, type KnownFlow } from './follow-flow.ts';
import { isFresh, type Launch, newFlowId, newLaunch } from './launch.ts';
import type { Popup, Ports } from './ports.ts';
import { renewing } from './renewing.ts';

const BLOCKED_MS = 3_000;
/**
 * Time after which the sign-in window counts as blocked although `window.open` returned one; longer than `BLOCKED_MS`, since its
 * page may load slowly.
 */
const SLOW_MS = 10_000;
const LATE_MS = 20_000;

export interface AttemptEvents {
  readonly flow: (flow: Flow) => void;
  readonly error: (error: unknown) => void;
  /** Called with true if the sign-in window seems not to have opened, and with false if it has opened after all. */
  readonly blocked: (isBlocked: boolean) => void;
  readonly late: () => void;
  readonly leaving: (flowId: string) => void;
}

/** One attempt to connect one integration; the service has one flow for it. */
export interface Attempt {
  readonly launch: Launch | undefined;
  /** Returns whether the launch page can still be opened. */
  canLaunch(): boolean;
  /** Brings the sign-in window to the front. @returns false if it is closed, or the browser gives no access to it */
  focus(): boolean;
  /** Opens the launch page once more. */
  reopen(): void;
  /** Stops reporting events, but does not cancel the flow. */
  stop(): void;
  /** Stops reporting events, and cancels the flow. */
  cancel(): void;
}

interface AttemptOptions {
  readonly form: ConnectForm;
  readonly values: Values;
  /** False if the user opens the sign-in window by a link. */
  readonly opensWindow: boolean;
  /** The ID of an existing flow, which is then only followed; absent to begin a new flow. */
  readonly flowId?: string | undefined;
}

/** Begins an attempt. Call it in the click handler: browsers block windows that are opened later. */
export function beginAttempt(ports: Ports, options: AttemptOptions, events: AttemptEvents): Attempt {
  const { form, opensWindow, flowId } = options;
  const id = flowId ?? newFlowId();
  const launch = form.way === 'sign_in' && flowId === undefined ? newLaunch(ports.base, ports.now()) : undefined;
  const inWindow = launch !== undefined && ports.mode === 'frame';
  let popup: Popup | null = inWindow && opensWindow ? ports.openWindow(launch.url) : null;
  const end = new AbortController();
  let state: FlowState = 'created';
  /**
   * True once the launch page has led the sign-in window on to the provider. The launch page also cuts off access to the window,
   * so the browser does not let this page focus or close it.
   */
  const isAway = () => state === 'redirected';

  const take = (flow: Flow) => {
    if (end.signal.aborted) return;
    if (state === 'created' && flow.state !== state) events.blocked(false);
    state = flow.state;
    events.flow(flow);
  };
  const closeWindow = () => isAway() || popup?.close();
  const follow = async (first: KnownFlow) => {
    for await (const flow of followFlow({ ...ports, signal: end.signal }, first)) take(flow);
  };
  const begin = async () => {
    const first = await renewing(ports, () => ports.api.createFlow(bodyOf(ports, id, launch, options), end.signal));
    if (launch !== undefined && !inWindow) {
      events.leaving(id);
      return ports.leave(launch.url);
    }
    if (inWindow) watchWindow(ports, events, { signal: end.signal, isOpen: () => state !== 'created', popup }).catch(ignore);
    take(first);
    await follow(first);
  };
  (flowId === undefined ? begin() : follow({ id, version: 0, state: 'created' })).catch((error) => {
    if (end.signal.aborted) return;
    closeWindow();
    events.error(error);
  });

  return {
    launch,
    canLaunch: () => launch !== undefined && state === 'created' && isFresh(launch, ports.now()),
    focus() {
      if (popup === null || popup.closed || isAway()) return false;
      popup.focus();
      return true;
    },
    reopen() {
      if (launch !== undefined) popup = ports.openWindow(launch.url);
    },
    stop: () => end.abort(),
    cancel() {
      end.abort();
      closeWindow();
      if (!hasEnded({ state })) ports.api.cancel(id).catch(ignore);
    },
  };
}

interface Watched {
  readonly signal: AbortSignal;
  /** Returns whether the page in the sign-in window has called the service. */
  readonly isOpen: () => boolean;
  readonly popup: Popup | null;
}

/**
 * Reports a sign-in window that seems to be blocked, or a sign-in that takes long. Neither the result of `window.open` nor
 * `closed` tells whether the window is open, but a call from its page to the service does.
 */
async function watchWindow({ pause }: Ports, events: AttemptEvents, { signal, isOpen, popup }: Watched): Promise<void> {
  pause(LATE_MS, signal).then(events.late, ignore);
  await pause(BLOCKED_MS, signal);
  if (popup !== null && !popup.closed) await pause(SLOW_MS - BLOCKED_MS, signal);
  if (!isOpen()) events.blocked(true);
}

function ignore(): void {}

function bodyOf({ rules, mode }: Ports, id: string, launch: Launch | undefined, { form, values }: AttemptOptions): NewFlow {
  const { params, credentials } = rules().payloadOf(form.fields, values);
  return {
    id,
    integration_id: form.unique_key,
    ...(launch !== undefined && { launch_id: launch.id, mode: mode === 'frame' ? 'popup' : 'redirect' }),
    ...(Object.keys(params).length > 0 && { params }),
    // A provider that needs no input is connected with empty credentials.
    ...(form.way !== 'sign_in' || Object.keys(credentials).length > 0 ? { credentials } : {}),
  };
}

/** Returns the faults in the form's fields that an error response reports. */
export function faultsOfError(error: unknown, form: ConnectForm): ReturnType<typeof faultsFrom> {
  return error instanceof ApiError ? faultsFrom(form.fields, error.faults) : {};
}
