import type { Reply } from '../../wire.ts';

/** Of a script, with its source. */
export type Version = Reply<'getScriptVersion'>['data'];
