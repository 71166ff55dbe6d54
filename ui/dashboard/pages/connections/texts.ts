import { translatorOf } from '../../texts/translate.ts';

export const texts = {
  heading: 'Connections',
  count_one: '{count} connection',
  count_other: '{count} connections',
  count_many: '{count} connections or more',
  attention_one: '{count} needs sign-in',
  attention_other: '{count} need sign-in',
  search: 'Name, e-mail, ID or tag:name=value',
  filter_integration: 'Integration',
  filter_state: 'State',
  customer: 'Customer',
  integration: 'Integration',
  id: 'Connection ID',
  used: 'Last used',
  created: 'Connected',
  state: 'State',
  state_healthy: 'Healthy',
  state_degraded: 'Degraded',
  state_needs_reauth: 'Needs sign-in',
  state_pending: 'Pending',
  empty: 'No connections yet',
  empty_hint: 'A connection appears here when someone connects an account.',
};

export const t = translatorOf(texts);
