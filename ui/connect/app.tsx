import type { ComponentChild } from 'preact';
import { useExternalStore } from '../kit/use-external-store.ts';
import { useWindow } from './context.ts';
import type { ConnectWindow } from './flow/connect-window.ts';
import type { Screen, WindowState } from './flow/state.ts';
import { Frame } from './frame.tsx';
import { type Later, useLater } from './later-screens.ts';
import { Picker } from './screens/picker.tsx';
import { Loading, Opening } from './screens/progress.tsx';

type At<Name extends Screen['at']> = Extract<Screen, { at: Name }>;
type Screens = { readonly [Name in Screen['at']]: (screen: At<Name>, later: Later) => ComponentChild };

const SCREENS: Screens = {
  loading: (screen) => <Loading screen={screen} />,
  picker: () => <Picker />,
  opening: (screen) => <Opening screen={screen} />,
  start: (screen, { Start }) => <Start screen={screen} />,
  waiting: (screen, { Waiting }) => <Waiting screen={screen} />,
  leaving: (screen, { Busy }) => <Busy screen={screen} />,
  verifying: (screen, { Busy }) => <Busy screen={screen} />,
  choosing: (screen, { Choice }) => <Choice screen={screen} />,
  success: (screen, { Success }) => <Success screen={screen} />,
  failure: (screen, { Failed }) => <Failed screen={screen} />,
  ended: ({ reason }, { Ended }) => <Ended reason={reason} />,
  nothing: (_, { Nothing }) => <Nothing />,
  not_allowed: (_, { NotAllowed }) => <NotAllowed />,
};

const FIRST: readonly Screen['at'][] = ['loading', 'picker', 'opening'];

/** Screens that show both logos in the middle and need no name in the header. */
const BARE: readonly Screen['at'][] = ['waiting', 'leaving', 'verifying'];

export function App() {
  const { window } = useWindow();
  const { screen, isAskingToDiscard } = useWindowState(window);
  const later = useLater(screen.at !== 'loading');
  const show = SCREENS[screen.at] as (screen: Screen, later: Later | undefined) => ComponentChild;
  const isThere = later !== undefined || FIRST.includes(screen.at);
  return (
    <Frame isBare={BARE.includes(screen.at)}>
      <div class="body" inert={isAskingToDiscard} key={screen.at}>
        {isThere ? show(screen, later) : <Loading screen={{ at: 'loading', isLong: false }} />}
      </div>
      {isAskingToDiscard && later && <later.Discard />}
    </Frame>
  );
}

export function useWindowState(window: ConnectWindow): WindowState {
  return useExternalStore(
    (onChange) => window.store.subscribe(onChange),
    () => window.state,
    [window],
  );
}
