import { failureType } from '../../connect/flows/client-frames.ts';
import { type FlowFailure, type FlowFailureCode, UNNAMED } from '../../connect/flows/flow-failure.ts';
import type { Connected } from '../../connect/flows/flow-outcome.ts';
import type { Audience } from '../../connections/connect-sessions/session-record.ts';
import { OutcomeUnknown } from '../../db/commit-outcome.ts';
import type { ErrorDetail, ServiceError } from '../../errors.ts';
import { fill } from '../../kit/language.ts';
import { html, type Markup, pageReply } from '../../server/pages/html.ts';
import type { BrowserVisit, Reply } from '../../server/route.ts';
import type { PageTexts } from './page-texts/en.ts';
import { type PageLanguage, pageLanguage } from './page-texts/page-language.ts';

const STYLE = `
body {
  margin: 0; min-block-size: 100dvh; display: grid; place-items: center; background: var(--surface); color: var(--text);
  font: 400 15px/22px var(--font);
}
main { box-sizing: border-box; inline-size: 100%; max-inline-size: 26rem; padding: 32px 24px; text-align: center; overflow-wrap: anywhere; }
.mark { inline-size: 44px; block-size: 44px; margin: 0 auto 20px; border-radius: 50%; display: grid; place-items: center; }
.mark svg { inline-size: 22px; block-size: 22px; fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }
.ok { color: var(--ok); background: var(--ok-soft); }
.bad { color: var(--bad); background: var(--bad-soft); }
.wait { color: var(--text-2); background: var(--muted); }
h1 { margin: 0 0 8px; font-size: 20px; line-height: 28px; font-weight: 600; letter-spacing: -.012em; }
p, ul { margin: 0 0 8px; padding: 0; color: var(--text-2); }
ul { list-style: none; }
button {
  block-size: 44px; margin-block-start: 16px; padding-inline: 20px; border: 1px solid var(--line-strong); border-radius: 10px;
  background: transparent; color: inherit; font: inherit; cursor: pointer;
}
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.reference { margin-block-start: 24px; padding-block-start: 16px; border-block-start: 1px solid var(--line); font-size: 12px; line-height: 16px; }
code { font-family: var(--mono); }
`;
/** The icons of result pages, drawn on a grid of 16 px. */
const MARKS = {
  ok: html`<div class="mark ok" aria-hidden="true"><svg viewBox="0 0 16 16"><path d="m3.5 8.5 3 3 6-7"/></svg></div>`,
  bad: html`<div class="mark bad" aria-hidden="true"><svg viewBox="0 0 16 16"><path d="M8 3.5v5.5M8 12v.1"/></svg></div>`,
  wait: html`<div class="mark wait" aria-hidden="true"><svg viewBox="0 0 16 16"><path d="M8 4v4.5l3 1.5"/></svg></div>`,
};

/** The facts that a result page needs in a window that was opened by another page, in which the user continues. */
interface Popup {
  /** The path of the page's script, which closes the window. */
  readonly scriptUrl: string;
  /** Set if an existing frontend, which was written for another product's API, opened the window. */
  readonly client?: PageClient | undefined;
}

interface PageClient {
  /** The client prefix in lower case, which the names of the reported messages begin with. */
  readonly prefix: string;
  /** The origins to which the page's script reports the result; if empty, it reports to whichever page opened the window. */
  readonly origins: readonly string[];
}

/** Texts for end users when a flow could not start, by error code. */
const REFUSALS: Readonly<Partial<Record<ServiceError['code'], keyof PageTexts>>> = {
  unknown_connect_session_token: 'refused_expired',
  invalid_query_params: 'refused_details',
  integration_not_allowed: 'refused_unavailable',
  unknown_provider_config: 'refused_unavailable',
  unknown_connection: 'refused_unavailable',
  invalid_auth_mode: 'refused_unavailable',
  missing_client_id: 'refused_unavailable',
  // Before a flow has started there are no credentials of the user, so only the integration's app can have failed its test.
  connection_test_failed: 'refused_unavailable',
  provider_unavailable: 'refused_unreachable',
  deprecated_authentication: 'refused_unavailable',
  unknown_account: 'refused_unavailable',
  missing_hmac: 'refused_unavailable',
  invalid_hmac: 'refused_unavailable',
  conflict: 'refused_unavailable',
  too_many_request: 'refused_attempts',
  not_found: 'refused_nothing',
  method_not_allowed: 'refused_nothing',
  uri_too_long: 'refused_too_long',
  invalid_content_type: 'refused_response',
  payload_too_large: 'refused_response',
  invalid_body: 'refused_response',
};

/** How the page is shown. */
interface Showing {
  /** The `Accept-Language` header of the request. */
  readonly acceptLanguage: string | undefined;
  readonly popup?: Popup | undefined;
}

/** Returns the result page of a successful authorization. It contains no provider data, ID or token. */
export function successPage({ name, audience, warning, isChoosing }: Connected, { acceptLanguage, popup }: Showing): Reply {
  const language = pageLanguage(acceptLanguage);
  const { texts } = language;
  const common = { language, status: 200, popup, closesItself: true };
  const whom = forWhom(texts, audience);
  if (isChoosing) return page({ ...common, mark: 'wait', title: texts.choosing, body: [html`<p>${texts.choose}</p>`, ...whom] });
  const text = fill(popup === undefined ? texts.connected_tab : texts.connected_window, { name });
  const hint = warning === undefined ? [] : [html`<p>${texts.limited}</p>`];
  return page({ ...common, mark: 'ok', title: texts.connected, body: [html`<p>${text}</p>`, ...hint, ...whom] });
}

const TITLES: Readonly<Partial<Record<FlowFailureCode, keyof PageTexts>>> = {
  session_expired: 'attempt_over',
  state_mismatch: 'attempt_over',
  cancelled: 'attempt_over',
  already_connected: 'attempt_over',
  still_running: 'not_yet',
  approval_pending: 'not_yet',
};

export function failurePage(failure: FlowFailure, { acceptLanguage, popup }: Showing): Reply {
  const { code, subject, reason, audience, logId, isReconnect } = failure;
  const language = pageLanguage(acceptLanguage);
  const { texts } = language;
  const body = [
    html`<p>${fill(texts[code], { name: subject === UNNAMED ? texts.unnamed : subject })}</p>`,
    ...(reason === undefined ? [] : [html`<p>${reason}</p>`]),
    ...(popup === undefined ? [] : [html`<p>${texts.go_back}</p>`]),
    ...forWhom(texts, audience),
    ...(logId === undefined ? [] : [reference(texts, logId)]),
  ];
  const isWaiting = code === 'approval_pending' || code === 'still_running';
  // An existing frontend is told the same type and text over its WebSocket.
  const told = { type: failureType(code), text: [failure.text, reason].filter((part) => part !== undefined).join(' ') };
  const title = texts[TITLES[code] ?? (isReconnect ? 'not_reconnected' : 'not_connected')];
  return page({ language, status: 400, mark: isWaiting ? 'wait' : 'bad', title, body, popup, told });
}

interface RefusedVisit extends BrowserVisit {
  readonly audience?: Audience | undefined;
}

/**
 * Returns the page for a flow that could not start, or that failed because of an error in the service. It repeats nothing from
 * the URL.
 */
export function refusalPage(error: ServiceError, { requestId, acceptLanguage, audience }: RefusedVisit): Reply {
  const language = pageLanguage(acceptLanguage);
  const { texts } = language;
  const { code, status, details } = error;
  const isUnknown = error instanceof OutcomeUnknown;
  const faults = details.filter(isOfForm).map(({ message }) => html`<li>${message}</li>`);
  const list = faults.length > 0 ? [html`<ul lang="en">${faults}</ul>`] : [];
  const text = texts[isUnknown ? 'refused_interrupted' : (REFUSALS[code] ?? 'refused_otherwise')];
  const body = [html`<p>${text}</p>`, ...list, ...forWhom(texts, audience), reference(texts, requestId)];
  const title = isUnknown ? texts.interrupted : texts.not_connected;
  return page({ language, status, mark: 'bad', title, body });
}

/**
 * Returns whether a fault concerns a field of the provider's form. Other faults are not shown, since they would repeat names from
 * the URL.
 */
function isOfForm({ code, path }: ErrorDetail): boolean {
  return path[0] === 'params' && code !== 'unrecognized_key';
}

/** Returns the line that names the intended user; it is needed because a link works for anyone who opens it. */
function forWhom(texts: PageTexts, audience: Audience | undefined): Markup[] {
  const { displayName, email } = audience ?? {};
  const who = displayName && email ? `${displayName} (${email})` : displayName || email;
  if (!who) return [];
  const [before = '', after = ''] = texts.for_whom.split('{who}');
  return [html`<p>${before}<bdi>${who}</bdi>${after}</p>`];
}

function reference(texts: PageTexts, id: string): Markup {
  const [before = '', after = ''] = texts.reference.split('{id}');
  return html`<p class="reference">${before}<code>${id}</code>${after}</p>`;
}

interface Parts {
  readonly language: PageLanguage;
  readonly status: number;
  readonly mark: keyof typeof MARKS;
  readonly title: string;
  readonly body: readonly Markup[];
  readonly popup?: Popup | undefined;
  readonly closesItself?: boolean;
  /** The failure that the page's script reports to an existing frontend. */
  readonly told?: { readonly type: string; readonly text: string };
}

function page({ language, status, mark, title, body, popup, closesItself = false, told }: Parts): Reply {
  const close = popup === undefined ? [] : closeButton(language.texts, closesItself);
  const client = popup?.client === undefined ? [] : [clientFacts(popup.client, told)];
  const main = html`<main>${MARKS[mark]}<h1>${title}</h1>${body}${close}</main>${client}`;
  const reply = pageReply({ status, lang: language.tag, title, style: STYLE, body: main, scriptUrl: popup?.scriptUrl });
  return { ...reply, headers: { ...reply.headers, vary: 'Accept-Language' } };
}

/** Returns the element from which the page's script reads what to report, and to whom. */
function clientFacts({ prefix, origins }: PageClient, told: Parts['told']): Markup {
  const failure = told === undefined ? [] : [html` data-error-type="${told.type}" data-error="${told.text}"`];
  return html`<div id="client" hidden data-prefix="${prefix}" data-origins="${origins.join(' ')}"${failure}></div>`;
}

/** Returns the close button. It is hidden until the script shows it, since it would do nothing without the script. */
function closeButton(texts: PageTexts, closesItself: boolean): Markup[] {
  const button = (done: readonly Markup[]) => html`<button id="close" type="button" hidden${done}>${texts.close_window}</button>`;
  return [button(closesItself ? [html` data-done`] : [])];
}
