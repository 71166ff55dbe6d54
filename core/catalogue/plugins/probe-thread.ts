import { parentPort, workerData } from 'node:worker_threads';
import { offerContract } from './offer-contract.ts';
import type { ProbeTask } from './probe-plugins.ts';

const { dirs, modules } = workerData as ProbeTask;

// The listener keeps the thread alive: a thread that waits for nothing would end by itself.
parentPort?.on('message', () => undefined);
await offerContract(dirs);
for (const module of modules) {
  parentPort?.postMessage('begins');
  await import(module).catch(() => undefined);
  parentPort?.postMessage('ended');
}
