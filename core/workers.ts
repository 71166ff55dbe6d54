import { refreshWorker } from './credentials/refresh-worker.ts';
import { deletionWorker } from './lifecycle/connection-deleting.ts';
import type { LifecycleDeps } from './lifecycle/deps.ts';
import { erasureWorker } from './lifecycle/erasure-worker.ts';
import { subscriptionWorker } from './lifecycle/subscription-worker.ts';
import { ScriptQueue } from './scripts/script-queue.ts';
import { Deliverer } from './webhook-delivery/deliverer.ts';
import type { WebhookIngressDeps } from './webhook-ingress/deps.ts';
import { matchingTable } from './webhook-ingress/match.ts';

type WorkerDeps = LifecycleDeps & WebhookIngressDeps & ConstructorParameters<typeof Deliverer>[0];

/** What works on due rows, once it is started. */
export function openWorkers(opened: AsyncDisposableStack, deps: WorkerDeps) {
  return {
    dueWorkers: [
      opened.use(refreshWorker(deps)),
      opened.use(subscriptionWorker(deps)),
      opened.use(deletionWorker(deps)),
      opened.use(erasureWorker(deps)),
    ],
    deliverer: opened.use(new Deliverer(deps)),
    matching: opened.use(matchingTable(deps)),
    scriptQueue: opened.use(new ScriptQueue(deps)),
  };
}
