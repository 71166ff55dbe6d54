import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ConnectWindow } from './flow/connect-window.ts';
import type { Language, Translate } from './texts/translate.ts';

export interface WindowContext {
  readonly window: ConnectWindow;
  readonly language: Language;
  readonly t: Translate;
  /** The origin of the page that embeds the window; empty if it is unknown. */
  readonly origin: string;
}

export const Context = createContext<WindowContext | undefined>(undefined);

export function useWindow(): WindowContext {
  const context = useContext(Context);
  if (context === undefined) throw new Error('outside of the window');
  return context;
}
