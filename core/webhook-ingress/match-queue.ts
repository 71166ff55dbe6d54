/** Jobs that say no more than that deliveries may wait to be matched; the truth is in the table. */
export const MATCH_QUEUE = 'webhook-match';
