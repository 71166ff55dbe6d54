/** Headers of responses whose URL contains a token or a code in its query, which must get into no referrer and no cache. */
export const PRIVATE = { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' } as const;
