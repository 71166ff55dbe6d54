import { words } from './words.ts';

/** Every field of a connection record except `credentials`. */
export const RECORD_MEMBERS = words`
  id connection_id provider_config_key provider errors metadata connection_config tags created_at updated_at last_fetched_at
  end_user
`;
