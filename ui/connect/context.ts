import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ConnectWindow } from './flow/connect-window.ts';
import { type Language, type Translate, translator } from './texts/translate.ts';

export interface WindowContext {
  readonly window: ConnectWindow;
  readonly language: Language;
  readonly t: Translate;
  /** The name of the application, or a generic phrase if it is unknown. */
  readonly app: string;
  /** The origin of the page that embeds the window; empty if it is unknown. */
  readonly origin: string;
}

export const Context = createContext<WindowContext | undefined>(undefined);

export function useWindow(): WindowContext {
  const context = useContext(Context);
  if (context === undefined) throw new Error('outside of the window');
  return context;
}

/**
 * Returns the texts with the application's name filled in. If the name is unknown, a generic phrase takes its place, capitalized
 * at the beginning of a sentence.
 */
export function textsFor(language: Language, app: string | null): Pick<WindowContext, 't' | 'app'> {
  const name = app ?? language.texts.app_unnamed;
  const first = app ?? name.charAt(0).toLocaleUpperCase(language.tag) + name.slice(1);
  const texts = Object.entries(language.texts).map(([key, text]) => [key, text.replace(/(^|\. )\{app\}/g, '$1{App}')]);
  const translate = translator({ ...language, texts: Object.fromEntries(texts) });
  return { app: name, t: (key, values) => translate(key, { app: name, App: first, ...values }) };
}
