import type { Dialler, DialTarget } from '../../core/kit/outbound-dial.ts';

/** A dialler that records its targets and opens no socket, so that nothing is sent even if an outbound guard fails. */
export class RecordingDialler {
  readonly dials: DialTarget[] = [];

  /** The value for the option `dial` of `createOutbound`. */
  readonly dial: Dialler = async (target) => {
    this.dials.push(target);
    throw Object.assign(new Error('recorded, not dialled'), { code: 'ECONNREFUSED' });
  };
}
