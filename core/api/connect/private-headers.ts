/** Headers of responses whose URL contains a token or a code in its query. */
export const PRIVATE = { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' } as const;
