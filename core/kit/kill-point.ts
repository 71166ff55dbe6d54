interface Armed {
  readonly name: string;
  /** Number of passes through the point that are left, including the one that kills the process. */
  passes: number;
}

let armed: Armed | undefined;

/**
 * Sets the one point at which this process kills itself. For tests of what survives a crash; in production, the setting is
 * refused.
 *
 * @param faultAt `name:n`, the n-th pass of the named point, from 1
 * @throws RangeError when it has another form
 */
export function armKillPoint(faultAt: string): void {
  const [, name, passes] = /^([a-z][a-z-]*):([1-9]\d*)$/.exec(faultAt) ?? [];
  if (!name || !passes) throw new RangeError(`FAULT_AT must have the form name:n, not ${faultAt}`);
  armed = { name, passes: Number(passes) };
}

/**
 * Ends this process as abruptly as a power cut would, if this is the point and the pass that `armKillPoint` has set. Otherwise
 * does nothing.
 */
export function killPoint(name: string): void {
  if (armed?.name !== name) return;
  armed.passes -= 1;
  if (armed.passes === 0) process.kill(process.pid, 'SIGKILL');
}
