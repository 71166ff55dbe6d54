import { html, type Markup, pageReply } from '../server/pages/html.ts';
import type { Reply } from '../server/route.ts';
import { PEOPLE } from './people.ts';
import type { ConsentOutcome } from './tokens.ts';

const STYLE = `
*, *::before, *::after { box-sizing: border-box; }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; padding: 16px; background: var(--ground); color: var(--text);
  font: 400 15px/22px var(--font); }
main { inline-size: 100%; max-inline-size: 420px; padding: 24px 28px; background: var(--surface); border: 1px solid var(--line);
  border-radius: 16px; }
h1 { margin: 12px 0 4px; font-size: 21px; line-height: 28px; letter-spacing: -.012em; }
p { margin: 0 0 16px; color: var(--text-2); }
.mark { display: inline-block; padding: 3px 10px; border-radius: 99px; background: var(--warn-soft); color: var(--warn);
  font-size: 12.5px; font-weight: 500; }
.wrong { padding: 12px 14px; border-radius: 8px; background: var(--bad-soft); color: var(--bad); }
fieldset { margin: 0 0 12px; padding: 12px 16px 16px; border: 0; border-radius: 12px; background: var(--subtle); }
legend { float: inline-start; inline-size: 100%; margin-block-end: 8px; padding: 0; font-weight: 600; }
label { display: block; clear: both; }
.choice { display: flex; gap: 10px; align-items: center; min-block-size: 44px; }
.choice small { color: var(--text-2); font-size: 13px; }
input[type=radio] { inline-size: 18px; block-size: 18px; accent-color: var(--accent); }
.pair { clear: both; display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 12px; }
input[type=text], input[type=password], select { inline-size: 100%; block-size: 44px; margin-block-start: 4px; padding-inline: 10px;
  border: 1px solid var(--line-strong); border-radius: 10px; background: var(--surface); color: var(--text); font: inherit; }
button { inline-size: 100%; block-size: 44px; margin-block-start: 8px; border: 1px solid var(--line-strong); border-radius: 10px;
  background: var(--surface); color: var(--text); font: inherit; font-weight: 500; cursor: pointer; }
button.primary { border-color: transparent; background: var(--accent); color: var(--on-accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;

const OUTCOME_TEXTS: Readonly<Record<ConsentOutcome, string>> = {
  works: 'Everything works',
  fails_exchange: 'The sign-in fails at its last step',
  refuses_renewal: 'The first refresh is refused',
  is_slow: 'Every call takes three seconds',
};

interface SignIn {
  /** The authorization request, sealed, so that the form can carry it. */
  readonly request: string;
  /** True when a user name or password was wrong. */
  readonly isWrong?: boolean;
}

/** Returns the sign-in page. Only test persons can sign in there, and the page says so. */
export function signInPage(baseUrl: string, { request, isWrong = false }: SignIn): Reply {
  const wrong = isWrong ? [html`<p class="wrong" role="alert">That user name or password is wrong. Try demo and demo.</p>`] : [];
  const people = PEOPLE.filter(({ id }) => id !== 'demo').map(
    ({ id, name, email }, index) =>
      html`<label class="choice"><input type="radio" name="person" value="${id}"${index === 0 ? html` checked` : ''}>
<span>${name}<br><small>${email}</small></span></label>`,
  );
  const outcomes = Object.entries(OUTCOME_TEXTS).map(([value, text]) => html`<option value="${value}">${text}</option>`);
  const body = html`<form method="post" action="authorize">
<input type="hidden" name="request" value="${request}">
<p>An app asks to read and write the notes of an account here. Nothing on this page is real.</p>
${wrong}
<fieldset><legend>Who are you?</legend>${people}</fieldset>
<fieldset><legend>Or sign in: demo, demo</legend><div class="pair">
<label>User name<input type="text" name="username" autocomplete="off" autocapitalize="none" spellcheck="false"></label>
<label>Password<input type="password" name="password" autocomplete="off"></label></div></fieldset>
<fieldset><legend>What should happen later?</legend>
<select name="outcome" aria-label="What should happen later?">${outcomes}</select></fieldset>
<div class="pair"><button class="primary" name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button></div>
</form>`;
  return page(baseUrl, { status: isWrong ? 400 : 200, title: 'Allow access to your sandbox account?', body });
}

export function messagePage(baseUrl: string, { status, text }: { readonly status: number; readonly text: string }): Reply {
  return page(baseUrl, { status, title: 'This cannot continue', body: html`<p>${text}</p>` });
}

function page(
  baseUrl: string,
  { status, title, body }: { readonly status: number; readonly title: string; readonly body: Markup },
): Reply {
  const main = html`<main><span class="mark">Sandbox</span><h1>${title}</h1>${body}</main>`;
  // The form is answered by a redirect to the callback. Some browsers check this redirect against the policy, too (CSP Level 3
  // §6.4.1), so the service's origin must be allowed.
  return pageReply({
    status,
    title: `${title} · Sandbox`,
    style: STYLE,
    body: main,
    formAction: `'self' ${new URL(baseUrl).origin}`,
  });
}
