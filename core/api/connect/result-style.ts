import { html } from '../../server/pages/html.ts';

export const STYLE = `
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

/** On a grid of 16 px. */
export const MARKS = {
  ok: html`<div class="mark ok" aria-hidden="true"><svg viewBox="0 0 16 16"><path d="m3.5 8.5 3 3 6-7"/></svg></div>`,
  bad: html`<div class="mark bad" aria-hidden="true"><svg viewBox="0 0 16 16"><path d="M8 3.5v5.5M8 12v.1"/></svg></div>`,
  wait: html`<div class="mark wait" aria-hidden="true"><svg viewBox="0 0 16 16"><path d="M8 4v4.5l3 1.5"/></svg></div>`,
};
