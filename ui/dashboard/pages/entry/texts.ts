import { translatorOf } from '../../texts/translate.ts';

export const texts = {
  setup_heading: 'Set up svc',
  setup_lead: 'The first account is the administrator’s. You can invite others later.',
  token: 'Setup token',
  token_help: 'Find it in the server’s log, in the file “setup-token” of its data folder, or run “svc setup-link”.',
  token_missing: 'Enter the setup token.',
  name: 'Your name',
  name_missing: 'Enter your name.',
  email: 'E-mail',
  email_wrong: 'Enter an e-mail address.',
  password: 'Password',
  password_missing: 'Enter your password.',
  create: 'Create admin account',
  wrong_token: 'This setup token isn’t right.',
  too_many_tries: 'Too many tries. Wait a minute, then try again.',
  already_set_up: 'This instance has already been set up.',
  go_sign_in: 'Sign in',
  insecure: 'Connection not encrypted',
  insecure_hint:
    'Anybody on the way could read your password, so signing in is refused. Use HTTPS, or allow HTTP by SVC_ALLOW_HTTP.',
  sign_in_heading: 'Sign in to svc',
  sign_in: 'Sign in',
  sign_in_with: 'Continue with {name}',
  or: 'or',
  keep: 'Keep me signed in for 30 days',
  sign_in_wrong: 'E-mail or password isn’t right.',
  locked_one: 'Too many attempts. Try again in {count} minute.',
  locked_other: 'Too many attempts. Try again in {count} minutes.',
  timeout: 'You were signed out after a while without activity.',
  forgot: 'Forgot password?',
  forgot_hint: 'Ask an administrator, or run this on the server:',
  forgot_command: 'svc reset-password you@acme.example',
};

export const t = translatorOf(texts);
