import { translatorOf } from '../../texts/translate.ts';

export const texts = {
  heading: 'Account',
  sections: 'Sections of the account',
  sessions: 'Sessions',
  password: 'Password',

  sessions_card: 'Where you are signed in',
  session: 'Session',
  this_session: 'This one',
  address: 'Address',
  last_seen: 'Last used',
  created: 'Signed in',
  end_session: 'Sign out',
  session_ended: 'Signed out there',
  unknown_browser: 'Unknown browser',
  browser_on: '{browser} on {system}',
  no_sessions: 'No other session',

  password_card: 'Change your password',
  no_password: 'You sign in with another service and have no password here.',
  current: 'Present password',
  current_missing: 'Enter your present password.',
  current_wrong: 'Your present password isn’t right.',
  new_password: 'New password',
  change: 'Change password',
  changed: 'Password changed. All other sessions have ended.',
};

export const t = translatorOf(texts);
