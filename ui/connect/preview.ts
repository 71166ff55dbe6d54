import type { WantedPicture } from '../kit/picture.ts';
import type { ConnectForm, Session } from '../kit/wire.ts';
import type { Screen } from './flow/state.ts';
import { startVisit } from './visit.tsx';

/** The URL of a picture that never loads, so that the letters of the name take its place. */
const NO_LOGO = 'data:,';
const FORM: ConnectForm = {
  unique_key: 'calendar',
  display_name: 'Calendar',
  logo_url: NO_LOGO,
  way: 'form',
  sign_in_host: null,
  guide_url: null,
  scopes: [],
  fields: [{ path: ['credentials', 'api_key'], title: 'API key', secret: true }],
  is_reconnect: false,
  callback_url: null,
};
const OFFERED = { Calendar: 'calendar', Invoices: 'accounting', Tickets: 'ticketing' } as const;
const SESSION: Omit<Session, 'brand'> = {
  endUser: null,
  expires_at: '',
  integrations: Object.entries(OFFERED).map(([name, category]) => ({
    unique_key: name.toLowerCase(),
    display_name: name,
    provider: name.toLowerCase(),
    logo_url: NO_LOGO,
    categories: [category],
    way: 'form',
  })),
  return_url: null,
  reconnect: null,
  is_production: true,
};
const FAILURE = { code: 'credentials_rejected', message: null, logId: null, at: new Date(), retryAt: null };
const SCREENS: Readonly<Record<WantedPicture['screen'], Screen>> = {
  picker: { at: 'picker' },
  start: { at: 'start', form: FORM, faults: {}, failure: null, isChecking: false, attempts: 0 },
  success: { at: 'success', form: FORM, account: { name: 'Ada Lovelace' }, isLimited: false },
  failure: { at: 'failure', form: FORM, failure: FAILURE },
};

/**
 * Starts the window with sample data, in a frame of the dashboard. It is only for looking at, so nothing in it can be clicked or
 * gets the focus.
 */
export function startPreview(root: HTMLElement): void {
  root.inert = true;
  const { window: shown, speak } = startVisit(root, {
    mode: 'frame',
    wanted: null,
    lang: null,
    theme: () => null,
    token: () => '',
    post() {},
    renew: () => Promise.resolve(false),
    keepJourney() {},
    forget() {},
  });
  addEventListener('message', ({ source, origin, data }: MessageEvent<WantedPicture | null>) => {
    if (source !== parent || origin !== location.origin || data?.svc !== 1 || data.type !== 'picture') return;
    // Remove what the previous brand set: properties that this brand does not set must have their defaults.
    document.documentElement.removeAttribute('style');
    void speak(data.brand.language);
    shown.store.change({ session: { ...SESSION, brand: data.brand }, screen: SCREENS[data.screen] });
  });
  if (parent !== window) parent.postMessage({ svc: 1, type: 'ready' }, location.origin);
}
