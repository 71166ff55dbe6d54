import { translatorOf } from '../../app/texts/translate.ts';

export const texts = {
  actor: 'Actor',
  period: 'Period',
  period_any: 'Any time',
  period_given: 'As in the address',
  since: 'Since {time}',
  until: 'Until {time}',
  period_1h: 'Last hour',
  period_24h: 'Last 24 hours',
  period_7d: 'Last 7 days',
  period_30d: 'Last 30 days',
  period_90d: 'Last 90 days',
  filter_actor: 'Actor: {name}',
  actor_api_key: 'API key {name}',
  actor_member: '{name}',
  actor_session: 'an end user',
  actor_script: 'script {name}',
  actor_system: 'the service',
  actor_cli: 'the command line',
  actors_api_key: 'API keys',
  actors_member: 'Members',
  actors_session: 'End users',
  actors_script: 'Scripts',
  actors_system: 'The service',
  actors_cli: 'Command line',
};

export const t = translatorOf(texts);
