import type { SendHandle } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { lower, lowerSession, type RunnerProcess, type Streams, startRunner } from './runner-process.ts';
import type { Order, Report } from './spawner.ts';

/** A small process that starts runners for the service, hands it their channels, and ends them with it. */

/** Its forks may wait for the service, though not for long: it also kills. */
const PRIORITY = 10;
const SESSION_RETRY_MS = 130;

const running = new Map<number, RunnerProcess>();

process.on('message', (order: Order) => {
  if (order.type === 'start') start(order.id, order.arguments);
  else if (order.type === 'lower') running.get(order.id)?.lower();
  else running.get(order.id)?.kill();
});
process.on('disconnect', () => {
  for (const runner of running.values()) runner.kill();
  process.exit();
});
lower(process.pid, PRIORITY);
void lowerOwnSession();
tell({ type: 'ready' });

/** All runners are in it, as long as it lives. */
async function lowerOwnSession(): Promise<void> {
  while (!lowerSession(process.pid)) await wait(SESSION_RETRY_MS);
}

function start(id: number, args: readonly string[]): void {
  try {
    const runner = startRunner(args, 'shared');
    running.set(id, runner);
    void runner.streams.then((streams) => handOver(id, runner.pid, streams));
    void runner.ended.then((complaint) => end(id, complaint));
  } catch (error) {
    end(id, String(error));
  }
}

/** Nothing was read from them yet: a runner says nothing before it is spoken to. Pipes of a child are sockets, which can go. */
function handOver(id: number, pid: number | undefined, { stdin, stdout }: Streams): void {
  if (pid === undefined) return;
  tell({ type: 'started', id, pid }, stdin as unknown as SendHandle);
  tell({ type: 'stdout', id }, stdout as unknown as SendHandle);
}

function end(id: number, complaint: string): void {
  running.delete(id);
  tell({ type: 'ended', id, complaint });
}

function tell(report: Report, handle?: SendHandle): void {
  // Nobody listens any more: `disconnect` follows.
  if (process.connected) process.send?.(report, handle, undefined, () => {});
}
