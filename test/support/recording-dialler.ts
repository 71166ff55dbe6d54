import type { Dialler, DialTarget } from '../../core/kit/outbound-dial.ts';

/** Writes down what it is asked to dial and opens nothing, so that a guard that fails sends nothing. */
export class RecordingDialler {
  readonly dials: DialTarget[] = [];

  /** Fits `createOutbound`. */
  readonly dial: Dialler = async (target) => {
    this.dials.push(target);
    throw Object.assign(new Error('recorded, not dialled'), { code: 'ECONNREFUSED' });
  };
}
