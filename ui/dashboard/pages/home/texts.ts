import { translatorOf } from '../../texts/translate.ts';

export const texts = {
  heading: 'Home',
  lead_24h: 'The last 24 hours',
  lead_14d: 'The last 14 days, by UTC',
  period: 'Period',
  hours: '24 hours',
  days: '14 days',

  proxy: 'Proxied calls',
  proxy_errors: 'Failed calls',
  refresh: 'Refreshes',
  delivery: 'Deliveries',
  script: 'Script runs',
  none_failed: 'None failed',
  failed: '{count} failed',
  quiet: 'Nothing has happened here yet',
  quiet_hint: 'The quick start leads to the first call in about five minutes.',
  quick_start: 'Quick start',

  attention: 'Needs attention',
  fine: 'Nothing needs you right now.',
  reconnect_one: '1 user of {name} has to connect again',
  reconnect_other: '{count} users of {name} have to connect again',
  reconnect_hint: 'The provider takes their credentials no longer. Send them a reconnect link.',
  reconnect_fix: 'See connections',
  paused: 'Webhooks to your {target} URL are paused',
  paused_hint: 'Your application responded that the address is gone, or too much was waiting. Correct the URL, then resume.',
  failing: 'Webhooks to your {target} URL keep failing',
  failing_hint: 'Messages are tried again by themselves. See what your application responds.',
  messages_one: '1 webhook was given up',
  messages_other: '{count} webhooks were given up',
  messages_hint: 'Within a day. They can be sent again when your application takes them.',
  webhook_fix: 'See deliveries',
  script_failed: 'The script {event} of {name} fails',
  script_hint: 'Its latest run ended with an error.',
  script_fix: 'See the log',
  client: '{name} has no app',
  client_hint: 'Nobody can connect until it has a client ID and secret of the provider.',
  client_fix: 'Add its app',
};

export const t = translatorOf(texts);
