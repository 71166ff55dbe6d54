import { render } from 'preact';
import { brandProperties, schemeOf } from '../kit/brand.ts';
import { baseAddress, online, openPopup, pause } from '../kit/browser.ts';
import { App, useWindowState } from './app.tsx';
import { Context } from './context.ts';
import { createApi } from './flow/api.ts';
import { ConnectWindow } from './flow/connect-window.ts';
import type { Ports } from './flow/ports.ts';
import { formRules } from './later-screens.ts';
import { type Language, loadLanguage, translator } from './texts/translate.ts';

/** The differences between a window in a frame and a window that is a page. */
export interface Surroundings extends Pick<Ports, 'mode' | 'wanted' | 'post' | 'renew' | 'keepJourney' | 'forget'> {
  readonly token: () => string;
  /** The origin of the embedding page; undefined if there is none. */
  readonly origin?: string;
  /** The requested language (BCP 47); null means the environment's. */
  readonly lang: string | null;
  readonly theme: () => string | null;
}

export interface Visit {
  readonly window: ConnectWindow;
  readonly speak: Ports['speak'];
  /** Applies the theme and the brand to the page. */
  paint(): void;
  end(): void;
}

/** Creates a connect window and renders it. */
export function startVisit(root: HTMLElement, surroundings: Surroundings): Visit {
  const { token, origin, lang, theme } = surroundings;
  const base = baseAddress();
  const api = createApi({ base, token, embedOrigin: origin, fetch: fetch.bind(globalThis), pause, online });
  const stop = new AbortController();
  const key = token();
  let asked = 0;
  const speak = async (ofEnvironment: string | null) => {
    asked += 1;
    const turn = asked;
    const language = await loadLanguage([lang, ofEnvironment, ...navigator.languages].flatMap((tag) => tag ?? []));
    // If another language has been requested in the meantime, this one is no longer wanted.
    if (stop.signal.aborted || turn !== asked) return;
    document.documentElement.lang = language.tag;
    render(<Root key={key} window={window} language={language} origin={origin ?? ''} />, root);
  };
  const ports = { api, base, speak, now: () => new Date(), pause, online, openWindow: openPopup, leave, rules: formRules };
  const window = new ConnectWindow({ ...ports, ...surroundings });
  const paint = () => paintBrand(window, theme());
  const unsubscribe = window.store.subscribe(paint);
  for (const name of ['online', 'offline']) {
    addEventListener(name, () => window.setOffline(!navigator.onLine), { signal: stop.signal });
  }
  paint();
  if (!navigator.onLine) window.setOffline(true);
  void speak(null);
  return {
    window,
    speak,
    paint,
    end() {
      stop.abort();
      unsubscribe();
      window.dispose();
    },
  };
}

function leave(url: string): void {
  location.assign(url);
}

interface RootProps {
  readonly window: ConnectWindow;
  readonly language: Language;
  readonly origin: string;
}

function Root({ window, language, origin }: RootProps) {
  const { session } = useWindowState(window);
  const t = translator(language, session?.brand.name ?? null);
  return (
    <Context.Provider value={{ window, language, origin, t }}>
      <App />
    </Context.Provider>
  );
}

function paintBrand(window: ConnectWindow, theme: string | null): void {
  const { session } = window.state;
  const { documentElement: root } = document;
  const scheme = schemeOf(theme, session?.brand.theme);
  if (scheme === undefined) delete root.dataset['scheme'];
  else root.dataset['scheme'] = scheme;
  if (session === null) return;
  for (const [name, value] of Object.entries(brandProperties(session.brand))) root.style.setProperty(name, value);
}
