import type { Reply } from '../../app/replies.ts';

/** A version of a script, with its source. */
export type Version = Reply<'getScriptVersion'>['data'];
