/** `svc scripts init` and `svc scripts types` write the types themselves here. */
export type * from '../../scripts-runtime/script.d.ts';
