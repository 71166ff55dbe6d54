import type { Caller } from './caller.ts';

/** A part of the API; all parts of a client share its caller. */
export abstract class Resource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }
}
