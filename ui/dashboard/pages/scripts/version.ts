import type { Reply } from '../../app/replies.ts';

/** Of a script, with its source. */
export type Version = Reply<'getScriptVersion'>['data'];
