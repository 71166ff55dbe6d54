import { translatorOf } from '../../app/texts/translate.ts';

export const texts = {
  cancel: 'Cancel',
  code: 'Code from your authenticator app',
  code_help: 'Six digits, which change every 30 seconds.',
  code_missing: 'Enter the six digits that the app shows.',
  code_wrong: 'This code isn’t right, or has been used. Wait for the next one.',
  recovery: 'Recovery code',
  recovery_help: 'One of the ten that you saved. Each works once.',
  recovery_missing: 'Enter a recovery code.',
  recovery_wrong: 'This recovery code isn’t right, or has been used.',
  use_passkey: 'Use a passkey',
  use_app: 'Use your authenticator app',
  use_recovery: 'Use a recovery code',
  no_factor_left: 'Your passkeys do not work at this address. Use a recovery code.',
  passkey_failed: 'That passkey was not accepted. Try again, or use something else.',
  passkey_cancelled: 'Your browser did not use a passkey. Try again, or use something else.',

  add_app: 'Add authenticator app',
  add_app_heading: 'Add an authenticator app',
  add_app_lead: 'Scan this with an app for one-time codes, such as the one of your password manager.',
  qr: 'QR code with the secret for your app',
  secret_lead: 'Cannot scan it? Enter this secret in the app:',
  the_secret: 'the secret',
  add: 'Add app',
  app_added: 'Authenticator app added',

  add_passkey: 'Add passkey',
  add_passkey_heading: 'Add a passkey',
  add_passkey_lead: 'Your device, a security key or your password manager keeps it. Your browser asks which.',
  passkey_name: 'Name',
  passkey_name_help: 'To tell it from others, such as “Work laptop”.',
  passkey_name_missing: 'Enter a name.',
  passkey_added: 'Passkey added',
  passkey_not_made: 'Your browser made no passkey. Try again.',
  passkey_known: 'This device or key has a passkey of yours already.',
  no_https: 'Passkeys need https: SVC_BASE_URL is plain http.',
  ip_address: 'Passkeys need a domain name: SVC_BASE_URL is an IP address.',

  codes_heading: 'Save your recovery codes',
  codes_lead:
    'Each signs you in once when you have lost your authenticator app or passkey. They are not shown again. Keep them where you keep passwords, away from the app.',
  the_codes: 'the recovery codes',
  copy_codes: 'Copy codes',
  download_codes: 'Download',
  codes_saved: 'I have saved them',
};

export const t = translatorOf(texts);
