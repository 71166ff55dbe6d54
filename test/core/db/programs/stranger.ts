/**
 * This program stands in for an unrelated process: it runs until it is killed, and prints each signal that it gets. Its arguments
 * have no effect; they only appear in its command line.
 */
for (const signal of ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => process.stdout.write(`${signal}\n`));
setInterval(() => undefined, 60_000);
process.stdout.write('here\n');
