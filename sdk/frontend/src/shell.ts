import type { Theme } from './session.ts';

/** Style sheet of the shadow root, which the page's own style sheets do not affect. System colours follow the scheme. */
const CSS = `:host{all:initial;display:contents;color-scheme:light dark}
.card,iframe{width:100%;height:100%;border:0}
.card{padding:0;background:Canvas;color:CanvasText;font:15px system-ui}
div.card{position:relative;min-height:480px}
dialog.card{width:480px;height:720px;border-radius:16px;overflow:hidden;box-shadow:0 20px 60px #0005}
dialog::backdrop{background:#0008}
.cover{position:absolute;inset:0;display:grid;place-content:center;place-items:center;gap:20px;background:inherit;outline:0}
i{width:32px;height:32px;border:3px solid #8888;border-top-color:#46d;border-radius:50%;animation:s .9s linear infinite}
@keyframes s{to{rotate:1turn}}
button{min-height:44px;padding:0 24px;font:inherit}
@media(max-width:639px){dialog.card{min-width:100%;min-height:100%;border-radius:0}}
@media(prefers-reduced-motion){i{animation:0}}`;

const NAME = 'Connect an account';

export const NOT_LOADED = 'This window could not be loaded.';

export interface ShellOptions {
  /** The URL of the page in the frame. */
  readonly url: string;
  readonly theme: Theme | '';
  /** The element in which the window becomes part of the page; without one, the window is a dialog. */
  readonly container: HTMLElement | undefined;
}

/** The parts that the SDK itself draws, immediately on the user's click and without the network: card, backdrop, spinner. */
export interface Shell {
  readonly frame: HTMLIFrameElement;
  /** Shows the window, which has loaded, in place of the spinner. */
  reveal(): void;
  /** Says, in place of the spinner, that the window could not be loaded. */
  fail(): void;
  remove(): void;
}

/**
 * Opens the shell. It uses no attribute `style` and no element `<style>`: the policy of the page may forbid both (CSP
 * `style-src`). A shadow root keeps the page's own styles out; the top layer of `<dialog>` is above every z-index, and makes
 * the page inert.
 *
 * @param dismiss called on Esc, a click beside the card, the back gesture of a phone, and "Close" when nothing has loaded
 * @param closed called when the browser has closed the dialog by itself
 */
export function openShell({ url, theme, container }: ShellOptions, dismiss: () => void, closed: () => void): Shell {
  const host = element('svc-connect');
  host.style.colorScheme = theme.replace('system', '');
  const card = element(container ? 'div' : 'dialog', { className: 'card', ariaLabel: NAME });
  const cover = element('div', { className: 'cover', tabIndex: -1 });
  const line = element('div', { role: 'status', textContent: 'Loading…' });
  cover.append(element('i'), line);
  const frame = element('iframe', { title: NAME, allow: 'clipboard-write', src: url });
  card.append(frame, cover);
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [sheetOf(CSS)];
  root.append(card);
  (container ?? document.body).append(host);
  const leave = container ? undefined : showModal(card as HTMLDialogElement, dismiss, closed);
  if (leave) cover.focus();
  return {
    frame,
    reveal() {
      cover.remove();
      if (leave) frame.focus();
    },
    fail() {
      const button = element('button', { textContent: 'Close', onclick: dismiss });
      line.role = 'alert';
      line.textContent = NOT_LOADED;
      cover.replaceChildren(line, button);
      if (leave) button.focus();
    },
    remove() {
      leave?.();
      host.remove();
    },
  };
}

/**
 * Shows the dialog as a modal one.
 *
 * @returns a function that undoes this: the page scrolls again, and the browser puts focus where it was
 */
function showModal(dialog: HTMLDialogElement, dismiss: () => void, closed: () => void): () => void {
  const unlock = lockScroll();
  const onDismiss = (event: Event) => {
    event.preventDefault();
    dismiss();
  };
  // Chromium lets no page prevent a second `cancel` without a click in between; the `keydown` before it can be prevented.
  dialog.onkeydown = (event) => {
    if (event.key === 'Escape') onDismiss(event);
  };
  dialog.oncancel = onDismiss;
  dialog.onclose = closed;
  dialog.onclick = (event) => {
    if (event.target === dialog) onDismiss(event);
  };
  dialog.showModal();
  return () => {
    dialog.onclose = null;
    dialog.close();
    unlock();
  };
}

/**
 * Stops the page from scrolling. Changes no attribute of the page, so that there is none to restore. If the scroll bar
 * disappears, its space stays free.
 */
function lockScroll(): () => void {
  const gutter = innerWidth > document.documentElement.clientWidth ? 'scrollbar-gutter:stable' : '';
  const lock = sheetOf(`:root{overflow:hidden!important;${gutter}}`);
  document.adoptedStyleSheets.push(lock);
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== lock);
  };
}

function sheetOf(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties?: Partial<HTMLElementTagNameMap[K]>,
): HTMLElementTagNameMap[K];
function element(name: string, properties?: Partial<HTMLElement>): HTMLElement;
function element(name: string, properties?: object): HTMLElement {
  return Object.assign(document.createElement(name), properties);
}
