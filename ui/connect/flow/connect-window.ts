import { type Faults, initialValues, withoutSecrets } from '../../kit/fields/form.ts';
import { type ConnectForm, type Flow, hasReturned } from '../../kit/wire.ts';
import { type Attempt, beginAttempt, faultsOfError } from './attempt.ts';
import { awaitToken } from './await-token.ts';
import { refusalOf } from './choice.ts';
import { closeReason, returnStatus } from './closing.ts';
import { codeOf, endOf, failureOfError, isUnsettled } from './errors.ts';
import { screenOf } from './flow-screens.ts';
import { Leaving } from './leaving.ts';
import { hasPicker, integrationOf, onlyOffer } from './offer.ts';
import type { Journey, Ports } from './ports.ts';
import { renewing } from './renewing.ts';
import { returnAddress } from './return-address.ts';
import type { Failure, Screen, WindowState } from './state.ts';
import { createStore, type Store } from './store.ts';

/** The behaviour of the connect window, independent of how it is rendered. Each public method handles an event. */
export class ConnectWindow {
  readonly store: Store = createStore();
  readonly leaving = new Leaving(this.store);
  readonly #ports: Ports;
  readonly #end = new AbortController();
  /** Aborted when the token has arrived, which ends the wait for it. */
  readonly #come = new AbortController();
  #attempt: Attempt | undefined;
  #form: ConnectForm | undefined;
  /** The ID of the newest flow that the service has reported. */
  #flowId = '';
  #hasLoaded = false;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.store.subscribe(() => this.#tellLoaded());
  }

  get state(): WindowState {
    return this.store.state;
  }

  get mode(): Ports['mode'] {
    return this.#ports.mode;
  }

  awaitToken(): void {
    awaitToken(this.#ports, this.store, { come: this.#come.signal, end: this.#end.signal });
  }

  refuseToken(): void {
    if (this.state.session === null) this.store.show({ at: 'ended', reason: 'missing' });
  }

  async load(key?: string): Promise<void> {
    this.#come.abort();
    await this.#guarded(async () => {
      const session = await renewing(this.#ports, () => this.#ports.api.session());
      await this.#ports.speak(session.brand.language);
      this.store.change({ session });
      const first = onlyOffer(session, [key ?? this.#form?.unique_key, this.#ports.wanted]);
      if (session.integrations.length === 0) return this.store.show({ at: 'nothing' });
      if (first) await this.#open(first);
      else this.store.show({ at: 'picker' });
    });
  }

  /** Continues in the same tab after the visit to the provider. */
  resume({ flowId, session, form }: Journey): void {
    this.#form = form;
    void this.#ports.speak(session.brand.language);
    this.store.change({ session, values: initialValues(form.fields) });
    this.#begin(form, { flowId });
    this.store.show({ at: 'verifying', form });
  }

  async pick(key: string): Promise<void> {
    this.#form = undefined;
    this.#ports.post({ type: 'select', payload: { integration: key } });
    const isStill = () => this.state.screen.at === 'opening' && this.state.screen.integration.unique_key === key;
    await this.#guarded(() => this.#open(key), isStill);
  }

  type(key: string, value: string): void {
    this.store.change({ values: { ...this.state.values, [key]: value } });
  }

  submit(): void {
    const { screen, values } = this.state;
    // The second click of a double click arrives on another screen, or while the form is being checked; it is ignored.
    if (screen.at !== 'start' || screen.isChecking) return;
    const faults = this.#ports.rules().faultsIn(screen.form.fields, values);
    const attempts = screen.attempts + 1;
    if (Object.keys(faults).length > 0) this.store.show({ ...screen, faults, failure: null, attempts });
    else this.#begin(screen.form);
  }

  showAgain(): void {
    const { screen } = this.state;
    if (screen.at !== 'waiting' || this.#attempt?.focus()) return;
    if (this.#attempt?.canLaunch()) this.#attempt.reopen();
    else this.#markWaiting({ isLost: true });
  }

  /** Opens a new sign-in window in place of one that cannot be shown, and begins a new flow, which ends the previous one. */
  openAnother(): void {
    const { screen } = this.state;
    if (screen.at === 'waiting') this.#begin(screen.form);
  }

  /** Returns the URL of the launch page, for a link. Begins a new flow if the current launch page can no longer be opened. */
  launchUrl(): string {
    const { screen } = this.state;
    if (screen.at === 'waiting' && !this.#attempt?.canLaunch()) this.#begin(screen.form, { opensWindow: false });
    return this.#attempt?.launch?.url ?? '';
  }

  startOver(): void {
    this.#attempt?.cancel();
    this.#attempt = undefined;
    if (this.#form !== undefined) this.#showStart(this.#form);
  }

  async choose(option: string): Promise<void> {
    const { screen } = this.state;
    if (screen.at !== 'choosing' || screen.isSending) return;
    this.store.show({ ...screen, isSending: true, failure: null });
    const id = this.#flowId;
    const error = await refusalOf(this.#ports.api, id, option);
    if (error === undefined || this.#flowId !== id || !['choosing', 'verifying'].includes(this.state.screen.at)) return;
    this.#fail(error, screen.form, (failure) => ({ ...screen, failure }));
  }

  chooseOther(): void {
    this.#attempt?.cancel();
    this.#attempt = undefined;
    this.#form = undefined;
    if (this.state.session === null) return void this.load();
    this.store.show({ at: 'picker' });
  }

  tryAgain(): void {
    const { screen, session } = this.state;
    if (screen.at !== 'failure') return;
    const { form, failure } = screen;
    // Another attempt may have used up the session, so it is loaded again.
    if (session === null || form === null || isUnsettled(failure.code)) return void this.load(form?.unique_key);
    this.#showStart(form);
  }

  get canGoBack(): boolean {
    const { screen, session } = this.state;
    return hasPicker(session) && ['start', 'opening', 'failure'].includes(screen.at);
  }

  /** Goes back, by the Back button of the window or the browser. @returns false if the window has nothing to go back to */
  back(): boolean {
    const { screen, isAskingToDiscard } = this.state;
    if (isAskingToDiscard) this.leaving.stay();
    else if (['waiting', 'choosing'].includes(screen.at) || (screen.at === 'start' && screen.isChecking)) this.startOver();
    else if (this.canGoBack) this.leaving.unlessTyped(() => this.chooseOther());
    else return false;
    return true;
  }

  /** Closes the window after Esc, the Close button, or a click outside; first asks the user if something typed would be lost. */
  requestClose(): void {
    if (this.state.isAskingToDiscard) this.leaving.stay();
    else this.leaving.unlessTyped(() => this.close());
  }

  close(): void {
    const { screen, session } = this.state;
    this.#attempt?.cancel();
    this.#attempt = undefined;
    this.store.change({ values: {}, isAskingToDiscard: false });
    this.#ports.forget();
    this.#ports.post({ type: 'close', payload: { reason: closeReason(screen) } });
    if (this.mode === 'frame') return;
    const address = returnAddress(session?.return_url, returnStatus(screen), this.#form?.unique_key);
    if (address !== null) this.#ports.leave(address);
  }

  /** Ends this window because another link was opened in this tab. It then reports nothing more. */
  dispose(): void {
    this.#end.abort();
    this.#attempt?.stop();
    this.store.change({ values: {} });
  }

  setOffline(isOffline: boolean): void {
    this.store.change({ isOffline });
  }

  async #open(key: string): Promise<void> {
    const integration = integrationOf(this.state.session, key);
    if (integration === undefined) return;
    this.store.show({ at: 'opening', integration });
    const form = await renewing(this.#ports, () => this.#ports.api.form(key));
    const { screen } = this.state;
    // If the user has chosen another integration in the meantime, this form is no longer wanted.
    if (screen.at !== 'opening' || screen.integration.unique_key !== key) return;
    const kept = this.#form?.unique_key === key ? this.state.values : {};
    this.#form = form;
    this.store.change({ values: { ...initialValues(form.fields), ...kept } });
    this.#showStart(form);
  }

  #showStart(form: ConnectForm, part: { faults?: Faults; attempts?: number } = {}): void {
    this.store.show({ at: 'start', form, faults: {}, failure: null, isChecking: false, attempts: 0, ...part });
  }

  #begin(form: ConnectForm, { opensWindow = true, flowId }: { opensWindow?: boolean; flowId?: string } = {}): void {
    this.#attempt?.stop();
    const isCurrent = () => this.#attempt === attempt && !this.#end.signal.aborted;
    const attempt: Attempt = beginAttempt(
      this.#ports,
      { form, values: this.state.values, opensWindow, flowId },
      {
        flow: (flow) => isCurrent() && this.#take(flow, form),
        error: (error) => isCurrent() && this.#fail(error, form),
        blocked: (isBlocked) => isCurrent() && this.#markWaiting({ isBlocked }),
        late: () => isCurrent() && this.#markWaiting({ isLate: true }),
        leaving: (id) => isCurrent() && this.#keepJourney(id, form),
      },
    );
    this.#attempt = attempt;
    this.store.show(this.#screenWhile(form, attempt, !opensWindow));
  }

  #screenWhile(form: ConnectForm, { launch }: Attempt, isBlocked: boolean): Screen {
    if (launch === undefined) return { at: 'start', form, faults: {}, failure: null, isChecking: true, attempts: 0 };
    if (this.mode === 'page') return { at: 'leaving', form };
    return { at: 'waiting', form, launchUrl: launch.url, isBlocked, isLate: false, isLost: false };
  }

  #markWaiting(part: { isBlocked: boolean } | { isLate: true } | { isLost: true }): void {
    const { screen } = this.state;
    if (screen.at === 'waiting') this.store.change({ screen: { ...screen, ...part } });
  }

  #keepJourney(flowId: string, form: ConnectForm): void {
    const { session } = this.state;
    if (session !== null) this.#ports.keepJourney({ flowId, session, form });
  }

  #take(flow: Flow, form: ConnectForm): void {
    if (this.#end.signal.aborted) return;
    // The user came back to this tab without finishing the sign-in, or the session has ended; the service says if it was used.
    if ((this.mode === 'page' && !hasReturned(flow)) || flow.error?.code === 'session_used') {
      this.#attempt?.stop();
      return void this.load(form.unique_key);
    }
    this.#flowId = flow.id;
    const screen = screenOf(flow, form, this.#ports.now());
    if (screen === undefined) return;
    if (screen.at === 'choosing' && this.state.screen.at === 'choosing') return;
    if (screen.at === 'success') this.#succeed(flow);
    if (flow.error !== null) this.#tellError(flow.error.code, flow.error.message ?? '');
    this.store.show(flow.error === null ? screen : (endOf(flow.error.code) ?? screen));
  }

  #succeed({ integration_id: integration, connection_id }: Flow): void {
    const fields = this.#form?.fields ?? [];
    this.store.change({ values: withoutSecrets(fields, this.state.values) });
    this.#ports.forget();
    this.#ports.post({ type: 'connect', payload: { integration, ...(connection_id !== undefined && { connection_id }) } });
  }

  #fail(
    error: unknown,
    form: ConnectForm | null,
    screenOfFailure = (failure: Failure): Screen => ({ at: 'failure', form, failure }),
  ): void {
    const code = codeOf(error);
    const end = endOf(code);
    this.#tellError(code, error instanceof Error ? error.message : '');
    const faults = form === null ? {} : faultsOfError(error, form);
    if (end !== undefined) this.store.show(end);
    else if (form !== null && Object.keys(faults).length > 0) this.#showStart(form, { faults, attempts: 1 });
    else this.store.show(screenOfFailure(failureOfError(error, this.#ports.now())));
  }

  #tellError(code: string, message: string): void {
    if (code.startsWith('session_')) this.#ports.forget();
    this.#ports.post({ type: 'error', payload: { code, message } });
  }

  /** Runs an action and shows its error. @param isWanted returns false if the user has moved on; a late error is then ignored */
  async #guarded(run: () => Promise<void>, isWanted = () => true): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (!this.#end.signal.aborted && isWanted()) this.#fail(error, this.#form ?? null);
    }
  }

  #tellLoaded(): void {
    if (this.#hasLoaded || ['loading', 'opening'].includes(this.state.screen.at)) return;
    this.#hasLoaded = true;
    this.#ports.post({ type: 'loaded' });
  }
}
